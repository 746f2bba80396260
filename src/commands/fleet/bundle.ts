import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ARCHIVE_MAX_BYTES } from '../../config/bundle/archive.ts'
import { type Bundle, openBundle, signBundle, verifyBundle } from '../../config/bundle/bundle.ts'
import { keyId, publicKeyOf } from '../../config/bundle/keys.ts'
import { nameFault } from '../../config/bundle/manifest.ts'
import type { Publication } from '../../config/bundle/publication.ts'
import { HoldpointError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { writeWhole } from '../../system/files.ts'
import { readRegularFile } from '../../system/regular-file.ts'
import { buildBundle } from '../../tools/bundle/build.ts'
import { collectFiles } from '../../tools/bundle/collect.ts'
import { publishBundle, readPublished, writePublication } from '../../tools/bundle/publish.ts'
import type { Caller } from '../caller.ts'
import { problemLine } from '../problem-line.ts'
import { plural, say } from '../screen.ts'
import { publicKey } from './key.ts'
import { countOption, daysFrom, openKey, percentOption, sureOf } from './options.ts'

export interface BuildOptions {
  readonly name: string
  readonly revision: string
  readonly version?: string
  readonly expires?: string
  readonly minimumHoldpoint?: string
  readonly out?: string
}

/** Builds the archive of a policy folder, if its tests pass. The same folder gives the same bytes. */
export async function buildFolder(caller: Caller, folder: string, options: BuildOptions): Promise<void> {
  const fault = nameFault(options.name)
  if (fault !== undefined) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--name',
      message: `"${options.name}" is ${fault}.`,
    })
  }
  const revision = countOption(options.revision, '--revision', 1, Number.MAX_SAFE_INTEGER)
  const created = buildTime(caller)
  const about = {
    name: options.name,
    revision,
    version: options.version ?? String(revision),
    created: created.toISOString(),
    expires: daysFrom(created, options.expires ?? '90d').toISOString(),
    minimumHoldpoint: options.minimumHoldpoint ?? VERSION,
  }
  const files = sureOf(collectFiles(resolve(caller.cwd, folder)))
  const { archive, checked } = sureOf(await buildBundle(files, about))
  // Read back as a machine would, so that no bundle is made that every machine refuses.
  sureOf(openBundle(archive))
  const out = resolve(caller.cwd, options.out ?? `${options.name}-${revision}.tar.gz`)
  writeFileSync(out, archive)
  for (const problem of checked.problems) caller.stderr.write(`holdpoint: ${problemLine(problem)}\n`)
  say(
    caller,
    `Built ${out}: ${plural(files.size, 'file')}, ${plural(checked.results.length, 'test')} passed, valid until ${about.expires.slice(0, 10)}.`,
  )
  say(caller, `Next: holdpoint fleet bundle sign ${out} --key FILE`)
}

/** For builds that must be the same on two machines: the standard variable, in seconds. */
function buildTime(caller: Caller): Date {
  const text = caller.env.SOURCE_DATE_EPOCH
  if (text === undefined || text === '') return new Date()
  if (/^\d{1,12}$/.test(text)) return new Date(Number(text) * 1000)
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: 'SOURCE_DATE_EPOCH',
    message: `"${text.slice(0, 60)}" is not a number of seconds.`,
  })
}

export function readBundleFile(
  caller: Caller,
  file: string,
): { readonly bundle: Bundle; readonly archive: Buffer } {
  const read = readRegularFile(resolve(caller.cwd, file), ARCHIVE_MAX_BYTES)
  if (read.kind !== 'read') {
    const message =
      read.kind === 'missing' ? 'There is no such file.' : 'This is not a file of at most 16 MB.'
    throw new HoldpointError({ code: 'BUNDLE_INVALID', message, file })
  }
  const opened = openBundle(read.content)
  if (!opened.ok) throw new HoldpointError({ ...opened.problem, file })
  return { bundle: opened.value, archive: read.content }
}

/** Adds the signature of a key to a bundle. */
export async function signFile(
  caller: Caller,
  file: string,
  options: { readonly key: string },
): Promise<void> {
  const key = await openKey(caller, options.key)
  const { bundle } = readBundleFile(caller, file)
  const signed = signBundle(bundle, key)
  writeWhole(resolve(caller.cwd, file), signed)
  const { envelope, manifest } = sureOf(openBundle(signed))
  say(
    caller,
    `Signed ${manifest.name} revision ${manifest.revision} with the key ${keyId(publicKeyOf(key))}.`,
  )
  say(caller, `Signatures: ${envelope.signatures.map(({ keyid }) => keyid).join(', ')}.`)
}

interface VerifyOptions {
  readonly key: readonly string[]
  readonly threshold?: string
  readonly json?: boolean
}

/** Checks a bundle as a machine would: unchanged, and signed by enough of these keys. */
export function verifyFile(caller: Caller, file: string, options: VerifyOptions): void {
  const keys = options.key.map((text) => publicKey(text, '--key'))
  const threshold = countOption(options.threshold ?? '1', '--threshold', 1, keys.length)
  const { bundle } = readBundleFile(caller, file)
  const signers = verifyBundle(bundle, { keys, threshold })
  if (!signers.ok) throw new HoldpointError({ ...signers.problem, file })
  const { manifest, digest } = bundle
  const signedBy = signers.value.map(keyId)
  if (options.json === true) {
    caller.stdout.write(`${JSON.stringify({ ok: true, digest, signedBy, manifest }, null, 2)}\n`)
    return
  }
  say(
    caller,
    `${manifest.name} revision ${manifest.revision} (${manifest.version}), signed by ${signedBy.join(', ')}.`,
  )
  say(
    caller,
    `Created ${manifest.created}, valid until ${manifest.expires}, for Holdpoint ${manifest.minimumHoldpoint} or newer.`,
  )
  for (const [path, { bytes }] of Object.entries(manifest.files)) say(caller, `  ${path} (${bytes} bytes)`)
  if (Date.parse(manifest.expires) <= Date.now())
    say(caller, 'It has expired: no machine accepts it any more.')
}

export interface PublishFileOptions {
  readonly to: string
  readonly key: string
  readonly channel: string
  readonly percent?: string
  readonly expires?: string
}

/** Adds a bundle to the folder that machines fetch from; without one, changes the share of a channel. */
export async function publishFile(
  caller: Caller,
  file: string | undefined,
  options: PublishFileOptions,
): Promise<void> {
  const key = await openKey(caller, options.key)
  const published = sureOf(readPublished(resolve(caller.cwd, options.to), publicKeyOf(key)))
  const now = new Date()
  const dates = { key, now, expires: daysFrom(now, options.expires ?? '30d') }
  const { channel } = options
  const percent = percentOption(options.percent ?? '100')
  if (file === undefined) {
    const { publication } = published
    const entry = publication?.channels[channel]
    if (publication === undefined || entry === undefined) {
      throw new HoldpointError({
        code: 'OPTION_INVALID',
        key: '--channel',
        message: `Nothing is published on the channel ${channel}.`,
        fix: 'Name the bundle to publish.',
      })
    }
    const channels = { ...publication.channels, [channel]: { ...entry, percent } }
    return report(caller, sureOf(writePublication(published, dates, { ...publication, channels })), channel)
  }
  const { bundle, archive } = readBundleFile(caller, file)
  report(caller, sureOf(publishBundle(published, bundle, archive, { ...dates, channel, percent })), channel)
}

function report(caller: Caller, { serial, channels, expires, name }: Publication, channel: string): void {
  const entry = channels[channel]
  const others =
    entry?.before === undefined ? 'The others keep what they have.' : `The others have ${entry.before}.`
  const share = entry?.percent === 100 ? 'all machines' : `${entry?.percent} % of the machines`
  say(
    caller,
    `Published ${name}, number ${serial}: on ${channel}, ${share} get revision ${entry?.revision}.${entry?.percent === 100 ? '' : ` ${others}`}`,
  )
  say(caller, `Machines accept this list until ${expires.slice(0, 10)}. Publish again before that date.`)
}
