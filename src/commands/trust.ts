import { resolve } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { checkPermit } from '../system/permit.ts'
import { findProject } from '../system/project.ts'
import type { Signer } from '../system/signatures.ts'
import { MISSING, pinOf, UNFIT } from '../system/trust.ts'
import { addTrust, readTrust, readTrustFile, removeTrust, type TrustedFiles } from '../system/trust-file.ts'
import { keepContents, keptContent } from '../system/trusted-contents.ts'
import type { Caller } from './caller.ts'
import { confirmed } from './confirmed.ts'
import { type Person, personSigner, requireConsent, requirePerson } from './person.ts'
import { recordPerson } from './person-record.ts'
import { fitted, screenWidth } from './screen.ts'
import { type Earlier, reportLines } from './trust-report.ts'
import { type Survey, survey } from './trust-survey.ts'
import { visible, visibleJson } from './visible.ts'

interface TrustOptions {
  readonly yes?: boolean
  readonly list?: boolean
  readonly json?: boolean
  readonly revoke?: boolean
  readonly config?: string
  /** The file that permits it where there is no person. */
  readonly unattended?: string
  readonly home?: string
}

/**
 * Shows what a project's configuration would run, then pins the content of the configuration and of the files
 * it names.
 */
export async function trust(caller: Caller, options: TrustOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  const project = findProject(caller.cwd)
  const config = options.config === undefined ? {} : { config: resolve(caller.cwd, options.config) }
  if (options.list === true) return list(caller, home, options.json === true)
  if (options.revoke === true) return revoke(caller, home, project, config.config)
  const found = await survey({ home, project, ...config })
  if (found.configs.length === 0) {
    const message = `There is no project configuration in ${project}.`
    const fix = 'Write .holdpoint/config.yaml first.'
    throw new HoldpointError({ code: 'CONFIG_UNREADABLE', message, fix })
  }
  const before = readTrust(home)
  for (const line of reportLines(caller.colours, found, earlierOf(home, before))) out(caller, line)
  if (isTrusted(found, before)) {
    out(caller, 'Nothing has changed since you trusted it.')
    return
  }
  const person = await personOrPermit(caller, home, project, found, options)
  if (person.hasTyped !== true && !(await confirmed(caller, 'Trust these from now on?', options))) {
    out(caller, 'Nothing was changed.')
    return
  }
  pin(caller, home, found, await personSigner(caller, home, person))
}

/** A signed permit names the files it was made for: other contents need a person. */
async function personOrPermit(
  caller: Caller,
  home: Home,
  project: string,
  { files }: Survey,
  { unattended }: TrustOptions,
): Promise<Person> {
  if (unattended === undefined) return requirePerson(caller, home, 'trust')
  await requireConsent(caller, home, 'trust', unattended)
  const permit = checkPermit(home, caller.path(unattended), 'trust')
  if (!permit.ok) throw new HoldpointError(permit.problem)
  const pins = permit.value.files
  const other = [...files].find(
    ([path, { pin }]) => pins !== undefined && pins[pathInPermit(project, path)] !== pin,
  )
  if (other === undefined) return {}
  throw new HoldpointError({
    code: 'PERMIT_INVALID',
    key: '--unattended',
    file: unattended,
    message: `The permit was not made for ${visible(other[0])} as it is now.`,
    fix: 'Read the change, then run `holdpoint pin permit trust` in the project again.',
  })
}

/** Projects have other folders on other machines. */
export function pathInPermit(project: string, path: string): string {
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path
}

function out(caller: Caller, line: string): void {
  caller.stdout.write(`${fitted(line, screenWidth(caller.stdout))}\n`)
}

function earlierOf(home: Home, before: TrustedFiles): Earlier {
  return { pin: (path) => before.get(path), content: (pin) => keptContent(home.trust, pin) }
}

function isTrusted({ files }: Survey, before: TrustedFiles): boolean {
  return [...files].every(([path, file]) => file.pin === UNFIT || before.get(path) === file.pin)
}

/** Pins what was read for the report, even if the files changed while the user was reading. */
function pin(caller: Caller, home: Home, { files }: Survey, signer: Signer): void {
  const pins = [...files].flatMap(([path, { pin }]) => (pin === UNFIT ? [] : [[path, pin] as const]))
  const trusted = addTrust(home, new Map(pins), signer)
  keepContents(
    home.trust,
    trusted,
    [...files.values()].flatMap(({ content }) => content ?? []),
  )
  // Missing files are pinned too, as missing, but only existing ones are listed.
  const told = [...files].flatMap(([path, file]) => (file.content === undefined ? [] : [visible(path)]))
  recordPerson(caller, home, 'Trust', `trusted as they are now: ${told.join(', ')}`)
  out(caller, `Trusted as they are now: ${told.join(', ')}. If one of them changes, you are asked again.`)
}

/** Every trusted file on this machine, and whether it has changed since. */
function list(caller: Caller, home: Home, json: boolean): void {
  const { pins, unsigned } = readTrustFile(home)
  const files = [...pins]
    .filter(([, { pin: pinned }]) => pinned !== MISSING)
    .map(([path, { pin: pinned }]) => ({ path, state: stateOf(path, pinned) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  if (json) {
    caller.stdout.write(`${visibleJson(JSON.stringify({ files, unsigned: unsigned.length }, null, 2))}\n`)
    return
  }
  if (files.length === 0) out(caller, 'Nothing is trusted.')
  if (unsigned.length > 0) out(caller, unsignedNote(home, unsigned.length))
  for (const { path, state } of files) out(caller, `${stateWord(caller, state)} ${visible(path)}`)
}

type TrustState = 'trusted' | 'changed' | 'gone'

function stateWord({ colours }: Caller, state: TrustState): string {
  if (state === 'trusted') return colours.green('trusted')
  return state === 'changed' ? colours.yellow('CHANGED') : colours.dim('gone   ')
}

function stateOf(path: string, pinned: string): TrustState {
  const now = pinOf(path)
  return now === pinned ? 'trusted' : now === MISSING ? 'gone' : 'changed'
}

function unsignedNote(home: Home, count: number): string {
  const entries = count === 1 ? '1 entry' : `${count} entries`
  return `${entries} in ${home.trust} do not count: no person signed them. Run \`holdpoint trust\` again in each project.`
}

/**
 * Code is only reached through the configuration: without trust in the configuration, nothing of the project
 * runs.
 */
function revoke(caller: Caller, home: Home, project: string, config: string | undefined): void {
  const before = readTrust(home)
  const isHere = (path: string) => (config === undefined ? path.startsWith(`${project}/`) : path === config)
  const gone = [...before.keys()].filter(isHere)
  if (gone.length === 0) {
    out(caller, `Nothing in ${config ?? project} is trusted.`)
    return
  }
  keepContents(home.trust, removeTrust(home, isHere), [])
  const told = gone.filter((path) => before.get(path) !== MISSING).map((path) => visible(path))
  recordPerson(caller, home, 'Revoke', `no longer trusted: ${told.join(', ')}`)
  out(caller, `No longer trusted: ${told.join(', ')}. Their programs do not run from the next event on.`)
}
