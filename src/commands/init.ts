import { join, resolve } from 'node:path'
import * as prompts from '@clack/prompts'
import pc from 'picocolors'
import { loadPacks } from '../compile.ts'
import { ensureDaemon } from '../daemon/launch.ts'
import { describeProblem, HoldpointError } from '../errors.ts'
import { type HttpAddress, PROJECT_LAUNCHER, type Scope } from '../hosts/installer.ts'
import { ownSource } from '../read-layer.ts'
import { rememberPath } from '../world/environment.ts'
import { writeWhole } from '../world/files.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { daemonProgram, writeHookProgram, writeLauncher } from '../world/hook-program.ts'
import { type Install, readInstalls, sameInstall, writeInstalls } from '../world/installs.ts'
import { findProject } from '../world/project.ts'
import { installSettings, readSettings } from '../world/settings-file.ts'
import { contentHash, readTrust, writeTrust } from '../world/trust.ts'
import { type Agent, chosenAgents, defaultScope, fileFor, knownAgents, places } from './agents.ts'
import { examine, printExamination } from './doctor.ts'
import { checkHttpMode, closeUnusedHttpMode, modeOf, openHttpMode, reopen } from './http-mode.ts'
import { copySkills } from './mux-skills.ts'

interface InitOptions {
  readonly host?: readonly string[]
  readonly pack?: readonly string[]
  readonly scope?: Scope
  readonly home?: string
  readonly yes?: boolean
  /** Hooks ask the daemon over HTTP where the agent can. */
  readonly http?: boolean
}

/** Packs that make sense for everybody; `self` keeps the guard itself in place. */
const RECOMMENDED: readonly string[] = ['safety', 'secrets', 'self']

/** Finds the agents here, switches packs on, writes the hooks beside what is there, and proves each is live. */
export async function init(options: InitOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const project = findProject(process.cwd())
  const scope = options.scope ?? defaultScope(project)
  const agents = await chooseAgents(options)
  if (options.http === true) checkHttpMode(agents, scope, project)
  const packs = await choosePacks(options)
  await switchPacksOn(packs, scope, project, home)
  const client = writeHookProgram(home, process.execPath)
  rememberPath(home, process.env.PATH)
  try {
    const http = options.http === true ? await openHttpMode(home) : undefined
    for (const agent of agents) {
      const install = installInto(agent, scope, project, home, http)
      report(agent, install, options)
      if (packs.includes('mux')) copySkills(home, install)
    }
  } finally {
    if (await closeUnusedHttpMode(home))
      process.stdout.write('No hook asks over HTTP: the port is given up.\n')
  }
  if (client === 'native') await startDaemon(home)
  else process.stdout.write('No native client for this machine: each hook starts Node (about 50 ms).\n')
  const healthy = printExamination(await examine(home, project, agents))
  process.stdout.write(`Packs on: ${packs.join(', ')}. See what is judged with \`holdpoint log --follow\`.\n`)
  if (!healthy) process.exitCode = 1
}

function report({ installer, program }: Agent, { host, file, http }: Install, options: InitOptions): void {
  const version = program?.version ?? 'unknown version'
  process.stdout.write(`${pc.bold(host)} (${version}): hooks written to ${file}\n`)
  if (program === undefined) {
    process.stdout.write(`  ${installer.program} is not on PATH: installed for an unknown version.\n`)
  }
  if (http === true) process.stdout.write('  They ask over HTTP; the file is closed to other users.\n')
  else if (options.http === true)
    process.stdout.write(`  ${host} has no hooks over HTTP: it starts the command.\n`)
}

/** So that already the first call is fast. Without it hooks answer all the same. */
async function startDaemon(home: Home): Promise<void> {
  const started = await ensureDaemon(home, daemonProgram(), DAEMON_START_MAX_MS)
  if (!started.ok) process.stdout.write(`${describeProblem(started.problem)}\n`)
}

const DAEMON_START_MAX_MS = 10_000

async function chooseAgents(options: InitOptions): Promise<readonly Agent[]> {
  const agents = await knownAgents()
  if (options.host !== undefined) return chosenAgents(agents, options.host)
  const found = agents.filter(({ program }) => program !== undefined)
  if (found.length === 0) {
    const known = agents.map(({ installer }) => `--host ${installer.host}`).join(' or ')
    const message = 'No agent was found on PATH.'
    throw new HoldpointError({ code: 'HOST_UNKNOWN', message, fix: `Install one, or name it: ${known}.` })
  }
  if (options.yes === true) return found
  const names = await ask(
    'Which agents shall be guarded?',
    found.map(({ installer }) => installer.host),
  )
  return chosenAgents(agents, names)
}

async function choosePacks(options: InitOptions): Promise<readonly string[]> {
  const known = [...(await loadPacks()).keys()]
  const unknown = options.pack?.find((pack) => !known.includes(pack))
  if (unknown !== undefined) {
    throw new HoldpointError({
      code: 'PACK_UNKNOWN',
      message: `There is no pack "${unknown}". Packs: ${known.join(', ')}.`,
    })
  }
  const recommended = RECOMMENDED.filter((pack) => known.includes(pack))
  if (options.pack !== undefined)
    return [...new Set([...options.pack, ...recommended.filter((pack) => pack === 'self')])]
  return options.yes === true ? recommended : ask('Which packs?', known, recommended)
}

async function ask(message: string, values: readonly string[], initial = values): Promise<readonly string[]> {
  if (!process.stdin.isTTY) {
    const fix = 'Name them with --host and --pack, and pass --yes.'
    throw new HoldpointError({ code: 'OPTION_INVALID', message: 'Nobody is here to ask.', fix })
  }
  const options = values.map((value) => ({ value, label: value }))
  const answer = await prompts.multiselect({ message, options, initialValues: [...initial], required: true })
  if (prompts.isCancel(answer))
    throw new HoldpointError({ code: 'OPTION_INVALID', message: 'Nothing was changed.' })
  return answer
}

const CONFIG_OF: Readonly<Record<Exclude<Scope, 'user'>, string>> = {
  project: 'config.yaml',
  local: 'config.local.yaml',
}

async function switchPacksOn(
  packs: readonly string[],
  scope: Scope,
  project: string,
  home: Home,
): Promise<void> {
  const path = scope === 'user' ? home.userConfig : join(project, '.holdpoint', CONFIG_OF[scope])
  const before = readSettings(path)
  if (!before.ok) throw new HoldpointError(before.problem)
  const after = (await ownSource()).withPacks?.(before.value, packs)
  if (after === undefined || !after.ok) {
    throw new HoldpointError(after?.problem ?? { code: 'INTERNAL', message: 'Packs cannot be written.' })
  }
  if (after.value === before.value) return
  writeWhole(path, after.value)
  process.stdout.write(`Policy: ${path}\n`)
  if (scope !== 'user') vouchForOwn(home, path, before.value, after.value)
}

/** What we wrote ourselves, for the person who asked us to, needs no second look; what stood there before does. */
function vouchForOwn(home: Home, path: string, before: string | undefined, after: string): void {
  const trusted = readTrust(home.trust)
  if (before !== undefined && before.trim() !== '' && trusted.get(path) !== contentHash(before)) return
  writeTrust(home.trust, new Map([...trusted, [path, contentHash(after)]]))
}

function installInto(
  agent: Agent,
  asked: Scope,
  project: string,
  home: Home,
  address: HttpAddress | undefined,
): Install {
  const { installer, program } = agent
  const { file, scope } = fileFor(installer, asked, places(project))
  const portable = scope === 'project'
  if (portable) writeLauncher(join(project, PROJECT_LAUNCHER))
  const http = installer.httpSince === undefined ? undefined : address
  const options = {
    ...{ command: home.hookProgram, home: home.folder, version: program?.version, portable },
    ...(http === undefined ? {} : { http }),
  }
  const plain: Install = { host: installer.host, scope, file, entries: installer.events.length }
  const installs = readInstalls(home.installs)
  const earlier = installs.find((each) => sameInstall(each, plain))
  const modeBefore = earlier?.http === true ? earlier.modeBefore : modeOf(file)
  const install = http === undefined ? plain : { ...plain, http: true, ...defined({ modeBefore }) }
  // Noted first: entries that nobody knows of would never be taken out.
  writeInstalls(home.installs, [...installs.filter((each) => !sameInstall(each, plain)), install])
  const written = installSettings(file, installer, options)
  if (!written.ok) {
    writeInstalls(home.installs, installs)
    throw new HoldpointError({ file, ...written.problem })
  }
  if (earlier?.http === true && http === undefined) reopen(earlier)
  return install
}

function defined({ modeBefore }: { modeBefore: number | undefined }): { modeBefore?: number } {
  return modeBefore === undefined ? {} : { modeBefore }
}
