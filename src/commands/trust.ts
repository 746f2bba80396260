import { resolve } from 'node:path'
import pc from 'picocolors'
import { HoldpointError } from '../errors.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { findProject } from '../world/project.ts'
import { MISSING, pinOf, readTrust, type TrustedFiles, UNFIT, writeTrust } from '../world/trust.ts'
import { keepContents, keptContent } from '../world/trusted-contents.ts'
import { confirmed } from './confirmed.ts'
import { type Earlier, reportLines } from './trust-report.ts'
import { type Survey, survey } from './trust-survey.ts'
import { visible } from './visible.ts'

interface TrustOptions {
  readonly yes?: boolean
  readonly list?: boolean
  readonly revoke?: boolean
  readonly config?: string
  readonly home?: string
}

/** Shows what a project's configuration would run, then pins it and what it names to their content. */
export async function trust(options: TrustOptions): Promise<void> {
  const home = homeLayout(options.home, process.env)
  const project = findProject(process.cwd())
  const config = options.config === undefined ? {} : { config: resolve(options.config) }
  if (options.list === true) return list(home)
  if (options.revoke === true) return revoke(home, project, config.config)
  const found = await survey({ home, project, ...config })
  if (found.configs.length === 0) {
    const message = `There is no project configuration in ${project}.`
    const fix = 'Write .holdpoint/config.yaml first.'
    throw new HoldpointError({ code: 'CONFIG_UNREADABLE', message, fix })
  }
  const before = readTrust(home.trust)
  for (const line of reportLines(found, earlierOf(home, before))) out(line)
  if (isTrusted(found, before)) {
    out('Nothing has changed since you trusted it.')
    return
  }
  if (!(await confirmed('Run these from now on?', options))) {
    out('Nothing was changed.')
    return
  }
  pin(home, found)
}

function out(line: string): void {
  process.stdout.write(`${line}\n`)
}

function earlierOf(home: Home, before: TrustedFiles): Earlier {
  return { pin: (path) => before.get(path), content: (pin) => keptContent(home.trust, pin) }
}

function isTrusted({ files }: Survey, before: TrustedFiles): boolean {
  return [...files].every(([path, file]) => file.pin === UNFIT || before.get(path) === file.pin)
}

/** As it was read for the report, whatever happened on the disk while a person was reading. */
function pin(home: Home, { files }: Survey): void {
  const pins = [...files].flatMap(([path, { pin }]) => (pin === UNFIT ? [] : [[path, pin] as const]))
  const trusted = new Map([...readTrust(home.trust), ...pins])
  writeTrust(home.trust, trusted)
  keepContents(
    home.trust,
    trusted,
    [...files.values()].flatMap(({ content }) => content ?? []),
  )
  // What is not there is pinned too, as missing; only what there was to read is told.
  const told = [...files].flatMap(([path, file]) => (file.content === undefined ? [] : [visible(path)]))
  out(`Trusted as they are now: ${told.join(', ')}. A change asks again.`)
}

/** Every file anybody vouched for on this machine, and whether it is still what it was. */
function list(home: Home): void {
  const trusted = [...readTrust(home.trust)]
    .filter(([, pinned]) => pinned !== MISSING)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (trusted.length === 0) out('Nothing is trusted.')
  for (const [path, pinned] of trusted) {
    const now = pinOf(path)
    const state =
      now === pinned ? pc.green('trusted') : now === MISSING ? pc.dim('gone   ') : pc.yellow('CHANGED')
    out(`${state} ${visible(path)}`)
  }
}

/** The configuration is what code is reached through: without it nothing of the project runs, wherever it lies. */
function revoke(home: Home, project: string, config: string | undefined): void {
  const before = readTrust(home.trust)
  const isHere = (path: string) => (config === undefined ? path.startsWith(`${project}/`) : path === config)
  const gone = [...before.keys()].filter(isHere)
  if (gone.length === 0) {
    out(`Nothing in ${config ?? project} is trusted.`)
    return
  }
  const left = new Map([...before].filter(([path]) => !isHere(path)))
  writeTrust(home.trust, left)
  keepContents(home.trust, left, [])
  const told = gone.filter((path) => before.get(path) !== MISSING).map((path) => visible(path))
  out(`No longer trusted: ${told.join(', ')}. Their programs do not run from the next event on.`)
}
