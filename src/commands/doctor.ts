import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import pc from 'picocolors'
import { probeHttp } from '../daemon/http-probe.ts'
import { ensureHttpDoor } from '../daemon/http-ready.ts'
import { readHttpSettings } from '../daemon/http-settings.ts'
import { describeProblem } from '../errors.ts'
import { type InstalledEntry, SCOPES } from '../hosts/installer.ts'
import { createResponder, findHost } from '../responder.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { daemonProgram } from '../world/hook-program.ts'
import { readInstalls } from '../world/installs.ts'
import { type Probed, probe } from '../world/probe.ts'
import { findProject } from '../world/project.ts'
import { contentHash } from '../world/trust.ts'
import { type Agent, knownAgents, places, readIfThere } from './agents.ts'
import { modeOf } from './http-mode.ts'

/** What is known of one agent's hooks: where they are, whether they are live, what is wrong. */
interface Examined {
  readonly host: string
  readonly version: string | undefined
  readonly found: boolean
  readonly files: readonly ExaminedFile[]
  readonly wrong: readonly string[]
  /** What only a person can do, in the agent itself, before its hooks run. */
  readonly todo: readonly string[]
  /** What this agent cannot be made to do, whatever is installed. */
  readonly limits: readonly string[]
}

interface ExaminedFile {
  readonly file: string
  readonly probed: readonly Probed[]
  /** The port its entries ask over HTTP, where they do. */
  readonly port?: number
}

export interface Examination {
  readonly agents: readonly Examined[]
  readonly wrong: readonly string[]
}

interface DoctorOptions {
  readonly home?: string
  readonly json?: boolean
}

/** Per agent: what is enforced, what is not, and what cannot be. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const examination = await examine(home, findProject(process.cwd()), await knownAgents())
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(examination, null, 2)}\n`)
  } else printExamination(examination)
  const waiting = examination.agents.some((agent) => agent.todo.length > 0)
  if (waiting || !isHealthy(examination)) process.exitCode = 1
}

export async function examine(home: Home, project: string, agents: readonly Agent[]): Promise<Examination> {
  const examined: Examined[] = []
  for (const agent of agents) examined.push(await examineAgent(agent, home, project))
  return { agents: examined, wrong: await configurationProblems(home, project) }
}

async function configurationProblems(home: Home, project: string): Promise<readonly string[]> {
  const responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
  const loaded = await responder.plan(project)
  if (!loaded.ok) return [describeProblem(loaded.problem)]
  const { broken, plan } = loaded.value
  const waiting = plan.hooks.filter((hook) => !hook.trusted)
  const untrusted = waiting.filter((hook) => hook.run.type !== 'guard').length
  return [
    ...[...broken, ...plan.problems].map(describeProblem),
    ...(untrusted === 0 ? [] : [`${untrusted} hooks of this project do not run until \`holdpoint trust\`.`]),
    ...(waiting.length === untrusted
      ? []
      : [
          'Packs that only this project asks for stop and ask, but tell the agent nothing until `holdpoint trust`.',
        ]),
  ]
}

async function examineAgent(agent: Agent, home: Home, project: string): Promise<Examined> {
  const { installer, program } = agent
  const installed = readInstalls(home.installs).filter(({ host }) => host === installer.host)
  const possible = SCOPES.flatMap((scope) => installer.file(scope, places(project)) ?? [])
  const texts = [...new Set([...possible, ...installed.map(({ file }) => file)])].flatMap((file) => {
    const text = readIfThere(file)
    return text === undefined ? [] : [{ file, text }]
  })
  const files: ExaminedFile[] = []
  const wrong: string[] = []
  const todo: string[] = [...(installer.switches?.({ where: places(project), read: readIfThere }) ?? [])]
  for (const { file, text } of texts) {
    const entries = installer.entries(text)
    if (!entries.ok) wrong.push(`${file}: ${describeProblem(entries.problem)}`)
    else if (entries.value.length > 0) {
      const asking = entries.value.filter(({ headers }) => headers !== undefined)
      if (asking.length > 0) wrong.push(...(await openDoor(home)), ...openFiles([file, home.http]))
      const probed: Probed[] = []
      for (const entry of entries.value) probed.push(await probeAs(entry, home, project))
      const port = asking.length === 0 ? undefined : readHttpSettings(home)?.port
      files.push({ file, probed, ...(port === undefined ? {} : { port }) })
      wrong.push(
        ...missingEvents(installer.events, probed).map(
          (event) => `${file}: no entry for ${event}; run \`holdpoint init\` again.`,
        ),
      )
    }
    const look = {
      file: join(realpathSync(dirname(file)), basename(file)),
      text,
      where: places(project),
      read: readIfThere,
      sha256: contentHash,
    }
    wrong.push(...installer.warnings(text).map((warning) => `${file}: ${warning}`))
    todo.push(...(installer.trustWarnings?.(look) ?? []).map((warning) => `${file}: ${warning}`))
  }
  if (files.some(({ port }) => port !== undefined)) {
    wrong.push(
      ...texts.flatMap(({ file, text }) =>
        (installer.httpWarnings?.(text) ?? []).map((warning) => `${file}: ${warning}`),
      ),
    )
  }
  for (const { file } of installed) {
    if (!files.some((each) => each.file === file))
      wrong.push(`${file}: our entries are gone; run \`holdpoint init\` again.`)
  }
  wrong.push(
    ...files.flatMap(({ file, probed }) =>
      probed.filter((each) => !each.live).map((each) => `${file}: ${each.event} is not live: ${each.why}`),
    ),
  )
  return {
    host: installer.host,
    version: program?.version,
    found: program !== undefined,
    files,
    wrong,
    todo: files.length === 0 ? [] : todo,
    limits: await limitsOf(installer.host),
  }
}

function probeAs(entry: InstalledEntry, home: Home, project: string): Promise<Probed> {
  if (entry.headers !== undefined) return probeHttp(entry, home)
  const own = { CLAUDE_PROJECT_DIR: project, HOLDPOINT_HOME: home.folder }
  return probe(entry, project, { ...process.env, ...own })
}

const DOOR_MAX_MS = 5_000

/** As the start of a session would. */
async function openDoor(home: Home): Promise<readonly string[]> {
  const open = await ensureHttpDoor(home, daemonProgram(), process.env, DOOR_MAX_MS)
  return open.ok ? [] : [describeProblem(open.problem)]
}

/** Files with the secret in them that others may read. */
function openFiles(files: readonly string[]): readonly string[] {
  return files
    .filter((file) => ((modeOf(file) ?? 0) & 0o077) !== 0)
    .map(
      (file) => `${file}: other users may read the secret of the HTTP port here. Run \`chmod 600 ${file}\`.`,
    )
}

function missingEvents(events: readonly string[], probed: readonly Probed[]): readonly string[] {
  return events.filter((event) => !probed.some((each) => each.event === event))
}

/** Read from what the host declares, so that it cannot differ from what is enforced. */
async function limitsOf(id: string): Promise<readonly string[]> {
  const host = await findHost(id)
  if (!host.ok) return []
  const kinds = Object.entries(host.value.events)
  const without = (can: (event: (typeof kinds)[number][1]) => boolean) =>
    kinds.filter(([, abilities]) => !can(abilities)).map(([kind]) => kind)
  const before = host.value.events.PreToolUse
  return [
    ...(before?.ask ? [] : ['`ask` is not obeyed before a call: it becomes a deny.']),
    ...(before?.rewrite === true
      ? []
      : [
          'a call is changed only where the hook also grants it; else it is denied with the suggested input.',
        ]),
    `cannot be stopped, only told, at: ${without((event) => event.deny).join(', ')}.`,
  ]
}

function isHealthy(examination: Examination): boolean {
  return examination.wrong.length === 0 && examination.agents.every((agent) => agent.wrong.length === 0)
}

/** True when nothing is wrong. */
export function printExamination(examination: Examination): boolean {
  const out = (text: string) => process.stdout.write(`${text}\n`)
  for (const agent of examination.agents) {
    const where = agent.found ? (agent.version ?? 'version unknown') : 'program not found'
    out(`${pc.bold(agent.host)} ${pc.dim(where)}`)
    if (agent.files.length === 0) out('  not installed here')
    for (const { file, probed, port } of agent.files) {
      const live = probed.filter((each) => each.live)
      const slowest = Math.max(0, ...probed.map((each) => each.tookMs))
      const mark = live.length === probed.length ? pc.green('live') : pc.red('NOT live')
      out(`  ${mark} ${live.length} of ${probed.length} events, slowest ${slowest.toFixed(0)} ms: ${file}`)
      if (port !== undefined) {
        const proved = live.length === probed.length ? '; a request without the secret gets nothing' : ''
        out(`  ${pc.dim('http')} asks 127.0.0.1:${port}${proved}`)
        out(`  ${pc.dim('back')} to hooks that start a command: \`holdpoint init\` without --http`)
      }
    }
    for (const wrong of agent.wrong) out(`  ${pc.red('wrong')} ${wrong}`)
    for (const todo of agent.todo) out(`  ${pc.yellow('to do')} ${todo}`)
    if (agent.files.length > 0) for (const limit of agent.limits) out(`  ${pc.dim('limit')} ${limit}`)
  }
  for (const wrong of examination.wrong) out(`${pc.yellow('configuration')} ${wrong}`)
  return isHealthy(examination)
}
