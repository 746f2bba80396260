import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Enrollment,
  enrollmentFile,
  fleetFolder,
  parseEnrollment,
  readEnrollment,
  systemFleetFolder,
} from '../../config/bundle/enrollment.ts'
import { keyId } from '../../config/bundle/keys.ts'
import { readInForce } from '../../config/bundle/store.ts'
import { HoldpointError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { FetchOutcome } from '../../daemon/fleet/fetch-bundle.ts'
import { fetchNow } from '../../daemon/fleet/fetch-now.ts'
import { keepMachine, readMachine } from '../../daemon/fleet/machine.ts'
import { writeWhole } from '../../system/files.ts'
import type { Home } from '../../system/home.ts'
import { type Caller, homeNamed } from '../caller.ts'
import { confirmed } from '../confirmed.ts'
import { requireConsent, requirePerson } from '../person.ts'
import { recordPerson } from '../person-record.ts'
import { say } from '../screen.ts'
import { startDaemon } from '../start-daemon.ts'
import { countOption, sureOf } from './options.ts'

export interface EnrollOptions {
  readonly key: readonly string[]
  readonly threshold?: string
  readonly channel?: string
  readonly poll?: string
  readonly proxy?: string
  readonly ca?: string
  readonly authorizationFile?: string
  readonly collector?: string
  readonly tokenFile?: string
  readonly label?: readonly string[]
  readonly insecure?: boolean
  readonly system?: boolean
  readonly yes?: boolean
  readonly home?: string
}

/** Makes the policy that an address publishes the managed policy of this machine, if its first bundle is right. */
export async function enroll(caller: Caller, url: string, options: EnrollOptions): Promise<void> {
  const home = homeOf(caller, options)
  const document = documentOf(caller, url, options)
  const enrollment = parseEnrollment(document)
  if (typeof enrollment === 'string') {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: `The machine was not enrolled: ${enrollment}.`,
    })
  }
  const folder = await permittedFolder(caller, 'enroll', home, options)
  const ids = enrollment.keys.map(keyId).join(', ')
  say(
    caller,
    `Policy from ${enrollment.url}, channel ${enrollment.channel}, if ${enrollment.threshold} of these keys signed it: ${ids}.`,
  )
  if (options.system !== true && !(await confirmed(caller, 'Enroll this machine?', options))) {
    say(caller, 'Nothing was changed.')
    return
  }
  const outcome = await firstFetch(folder, enrollment, document)
  if (options.system !== true)
    recordPerson(caller, home, 'Enroll', `Enrolled in ${enrollment.url} with the keys ${ids}.`)
  say(
    caller,
    `Enrolled. ${outcomeText(outcome)} The daemon asks for changes every ${enrollment.pollSeconds} seconds.`,
  )
  if (options.system !== true) {
    // Without an installation there are no hooks, and nobody to start it for.
    if (existsSync(home.nodeProgram)) await startDaemon(caller, home)
    else say(caller, 'No agent is guarded here yet. Run `holdpoint init`.')
    say(
      caller,
      'This enrollment is advisory: programs of your user can end it. To enforce it, run the command as root with --system.',
    )
  }
}

function homeOf(caller: Caller, { home }: { readonly home?: string }): Home {
  return homeNamed(caller, home)
}

function documentOf(caller: Caller, url: string, options: EnrollOptions): JsonObject {
  const { channel, proxy, ca, collector } = options
  const secret = (file: string) => readSecret(caller.path(file))
  return {
    url: /^https?:/.test(url) ? url : resolve(caller.cwd, url.replace(/^file:\/\//, '')),
    keys: [...options.key],
    threshold: countOption(options.threshold ?? '1', '--threshold', 1, Math.max(1, options.key.length)),
    ...(options.poll === undefined ? {} : { pollSeconds: countOption(options.poll, '--poll', 10, 86_400) }),
    ...(channel === undefined ? {} : { channel }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(ca === undefined ? {} : { ca: resolve(caller.cwd, ca) }),
    ...(options.authorizationFile === undefined ? {} : { authorization: secret(options.authorizationFile) }),
    ...(collector === undefined
      ? {}
      : {
          collector: {
            url: collector,
            ...(options.tokenFile === undefined ? {} : { token: secret(options.tokenFile) }),
          },
        }),
    ...(options.insecure === true ? { insecure: true } : {}),
    labels: Object.fromEntries((options.label ?? []).map(labelOf)),
  }
}

/** A secret on the command line could be read by every user of the machine. */
function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: `The file with the secret cannot be read: ${why}.`,
    })
  }
}

function labelOf(text: string): readonly [string, string] {
  const [, key, value] = /^([a-z][a-z0-9_-]{0,40})=(.{1,200})$/.exec(text) ?? []
  if (key !== undefined && value !== undefined) return [key, value]
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--label',
    message: `"${text.slice(0, 60)}" is not a label.`,
    fix: 'Write --label team=payments.',
  })
}

/** Root's folder needs root; the user's folder needs a person, because an agent could bring its own policy. */
async function permittedFolder(
  caller: Caller,
  verb: 'enroll' | 'unenroll',
  home: Home,
  { system }: Pick<EnrollOptions, 'system'>,
): Promise<string> {
  if (system !== true) {
    if (verb === 'enroll') await requirePerson(caller, home, `fleet ${verb}`)
    const read = readEnrollment(home)
    if (read.kind === 'none' || read.kind === 'broken' || !read.byRoot) return fleetFolder(home)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      message: `Root enrolled this machine, in ${read.file}.`,
      fix: `Run \`holdpoint fleet ${verb} --system\` as root.`,
    })
  }
  if (process.getuid?.() === 0) return systemFleetFolder(home)
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--system',
    message: 'Only root can change the enrollment of the whole machine.',
    fix: 'Run the command with sudo, or without --system for your user alone.',
  })
}

/** In a folder next to the real one, so that a fleet that cannot be reached changes nothing. */
async function firstFetch(
  folder: string,
  enrollment: Enrollment,
  document: JsonObject,
): Promise<FetchOutcome> {
  const beside = `${folder}.${process.pid}.new`
  try {
    mkdirSync(beside, { recursive: true, mode: 0o755 })
    const machine = readMachine(folder)
    if (machine !== undefined) keepMachine(beside, machine)
    const outcome = sureOf(await fetchNow(beside, enrollment, () => new Date()))
    refuseOlder(folder, beside)
    if (readInForce(beside) === undefined) {
      throw new HoldpointError({
        code: 'FLEET_NO_BUNDLE',
        message: 'Nothing is published for this machine yet, so it was not enrolled.',
        fix: 'Publish a bundle for all machines of the channel first.',
      })
    }
    writeWhole(enrollmentFile(beside), `${JSON.stringify(document, null, 2)}\n`, 0o644)
    const old = `${folder}.${process.pid}.old`
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(beside, folder)
    rmSync(old, { recursive: true, force: true })
    return outcome
  } catch (error) {
    if (error instanceof HoldpointError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'STATE_UNWRITABLE',
      message: `The enrollment cannot be stored: ${why}.`,
      file: folder,
    })
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

function refuseOlder(folder: string, beside: string): void {
  const [before, next] = [readInForce(folder), readInForce(beside)]
  if (before === undefined || next === undefined || before.name !== next.name) return
  if (next.revision >= before.revision) return
  throw new HoldpointError({
    code: 'BUNDLE_REFUSED',
    message: `The server has revision ${next.revision} of ${next.name}, and this machine has ${before.revision}.`,
    fix: 'Publish a newer bundle, or run `holdpoint fleet unenroll` first.',
  })
}

export function outcomeText(outcome: FetchOutcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return `Revision ${outcome.revision} is in force.`
    case 'current':
      return `Revision ${outcome.revision} is in force, and there is no newer one for this machine.`
    case 'none':
      return 'Nothing is published for this machine yet.'
    case 'later':
      return `The server asks to try again in ${Math.ceil(outcome.retryAfterMs / 1000)} seconds.`
  }
}

/** Ends the enrollment. The journal stays. */
export async function unenroll(
  caller: Caller,
  options: Pick<EnrollOptions, 'system' | 'home' | 'yes'> & { readonly unattended?: string },
): Promise<void> {
  const home = homeOf(caller, options)
  await requireConsent(caller, home, 'unenroll', options.unattended)
  const folder = await permittedFolder(caller, 'unenroll', home, options)
  if (!existsSync(enrollmentFile(folder))) {
    throw new HoldpointError({
      code: 'FLEET_ENROLLMENT',
      message: 'This machine is not enrolled here.',
      file: folder,
    })
  }
  if (options.system !== true && !(await confirmed(caller, 'End the enrollment of this machine?', options))) {
    say(caller, 'Nothing was changed.')
    return
  }
  rmSync(folder, { recursive: true, force: true })
  if (options.system !== true)
    recordPerson(caller, home, 'Unenroll', 'The enrollment of this machine was ended.')
  say(caller, 'This machine is no longer enrolled. Your own configuration applies.')
}
