import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { LoadedPlan } from '../app/load-plan.ts'
import { createResponder } from '../app/responder.ts'
import { unsignedEntries } from '../config/unsigned-entries.ts'
import { BUILD_ID } from '../core/build-id.ts'
import { describeProblem, type Result } from '../core/errors.ts'
import { guardRunOf } from '../core/guard-run.ts'
import type { Hook } from '../core/hook.ts'
import type { Abilities } from '../core/host.ts'
import { probeHttp } from '../daemon/http-probe.ts'
import { ensureHttpServer } from '../daemon/http-ready.ts'
import { readHttpSettings } from '../daemon/http-settings.ts'
import { findHost } from '../hosts/find-host.ts'
import type { InstalledEntry, Installer } from '../hosts/installer.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { findAgent } from '../system/agent-program.ts'
import type { Home } from '../system/home.ts'
import { readInstalls } from '../system/installs.ts'
import { type Probed, probe } from '../system/probe.ts'
import { findProject } from '../system/project.ts'
import { currentRuntime } from '../system/runtime.ts'
import { contentHash } from '../system/trust.ts'
import { type Agent, knownAgents, places, readIfThere } from '../tools/status/agents.ts'
import { loadedFiles, switchedOffHere } from '../tools/status/guarded.ts'
import { limitsFor } from '../tools/status/host-limits.ts'
import { collectStatus, type Status, untrustedPrograms, untrustedText } from '../tools/status/status-facts.ts'
import { type Caller, homeNamed } from './caller.ts'
import {
  type Examination,
  type Examined,
  type ExaminedFile,
  isHealthy,
  printExamination,
} from './examination.ts'
import { modeOf } from './http-mode.ts'
import { examinePlugin } from './plugin.ts'
import { headlineText } from './status.ts'

interface DoctorOptions {
  readonly home?: string
  readonly json?: boolean
  readonly verbose?: boolean
}

/** For each agent: what is enforced, what is not, and what the agent does not support. */
export async function doctor(caller: Caller, options: DoctorOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  const [project, agents] = [findProject(caller.cwd), await knownAgents(caller.env)]
  const status = await collectStatus(home, places(project, caller.env, caller.cwd), agents, Date.now())
  const examination = await examine(caller, home, project, agents)
  if (options.json === true) {
    const { headline, ok: guarded, pause } = status
    caller.stdout.write(`${JSON.stringify({ headline, guarded, pause, ...examination }, null, 2)}\n`)
  } else {
    caller.stdout.write(headlineText(caller, status))
    printExamination(caller, examination, options.verbose === true)
  }
  const waiting = [examination, ...examination.agents].some(({ todo }) => todo.length > 0)
  if (waiting || !isHealthy(examination) || isOff(status)) caller.exitCode = 1
}

/** A pause, a pack that is off, or an agent with hooks that do not run. An agent without hooks is the user's choice. */
function isOff({ pause, packs, agents }: Status): boolean {
  const hooked = agents.filter(({ guarded, elsewhere }) => guarded || elsewhere.length > 0)
  return pause !== undefined || packs.some(({ on }) => !on) || hooked.some(({ guarded }) => !guarded)
}

export async function examine(
  caller: Caller,
  home: Home,
  project: string,
  agents: readonly Agent[],
): Promise<Examination> {
  const examined: Examined[] = []
  const responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
  const loaded = await responder.plan(project)
  const hooks = loaded.ok ? loaded.value.plan.hooks : []
  for (const agent of agents) examined.push(await examineAgent(caller, agent, home, project, hooks))
  return {
    build: currentRuntime(home)?.build,
    agents: examined,
    wrong: [...copyProblems(home), ...configurationProblems(loaded)],
    todo: unsignedEntries({ home, project }).map(describeProblem),
  }
}

/** Checks that the programs that hooks run exist and are of this version. */
function copyProblems(home: Home): readonly string[] {
  if (readInstalls(home.installs).length === 0) return []
  const current = currentRuntime(home)
  if (current === undefined)
    return [`The programs that hooks run are missing in ${home.runtime}. Run \`npx holdpoint init\`.`]
  if (current.build === BUILD_ID) return []
  return [
    `Hooks run Holdpoint ${current.build}, but this is ${BUILD_ID}. To update the hooks, run \`npx holdpoint init\`.`,
  ]
}

function configurationProblems(loaded: Result<LoadedPlan>): readonly string[] {
  if (!loaded.ok) return [describeProblem(loaded.problem)]
  const { broken, plan } = loaded.value
  const waiting = plan.hooks.filter((hook) => !hook.trusted)
  const untrusted = untrustedPrograms(plan.hooks)
  return [
    ...[...broken, ...plan.problems].filter(({ code }) => code !== 'UNSIGNED_ENTRY').map(describeProblem),
    ...(untrusted.length === 0 ? [] : [untrustedText(untrusted)]),
    ...(waiting.every(({ run }) => guardRunOf(run) === undefined)
      ? []
      : [
          'Packs that are on only because of this project can deny and ask, but give the agent no instructions until you run `holdpoint trust`.',
        ]),
  ]
}

async function examineAgent(
  caller: Caller,
  agent: Agent,
  home: Home,
  project: string,
  hooks: readonly Hook[],
): Promise<Examined> {
  const { installer, program } = agent
  const where = places(project, caller.env, caller.cwd)
  const installed = readInstalls(home.installs).filter(({ host }) => host === installer.host)
  const loaded = loadedFiles(installer, where)
  const texts = [...new Set([...loaded, ...installed.map(({ file }) => file)])].flatMap((file) => {
    const text = readIfThere(file)
    return text === undefined ? [] : [{ file, text }]
  })
  const files: ExaminedFile[] = []
  const wrong: string[] = []
  const elsewhere: string[] = []
  const off = switchedOffHere(installer, where)
  const todo: string[] = [...(installer.switches?.({ where, read: readIfThere }) ?? [])]
  for (const { file, text } of texts) {
    const entries = installer.entries(text)
    if (!entries.ok) wrong.push(`${file}: ${describeProblem(entries.problem)}`)
    else if (entries.value.length > 0 && !loaded.includes(file)) elsewhere.push(file)
    else if (entries.value.length > 0) {
      const asking = entries.value.filter(({ headers }) => headers !== undefined)
      if (asking.length > 0) wrong.push(...(await openDoor(caller, home)), ...openFiles([file, home.http]))
      const probed: Probed[] = []
      for (const entry of entries.value) probed.push(await probeAs(caller, entry, home, project, installer))
      const port = asking.length === 0 ? undefined : readHttpSettings(home)?.port
      const stopped = [...off, ...(installer.stops?.(text) ?? [])]
      files.push({ file, probed, stopped, ...(port === undefined ? {} : { port }) })
      wrong.push(
        ...missingEvents(installer.events, probed).map(
          (event) => `${file}: no hook for ${event}. Run \`holdpoint init\` again.`,
        ),
      )
    }
    const look = {
      file: join(realpathSync(dirname(file)), basename(file)),
      text,
      where,
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
    if (!files.some((each) => each.file === file) && !elsewhere.includes(file))
      wrong.push(`${file}: the Holdpoint hooks are missing. Run \`holdpoint init\` again.`)
  }
  wrong.push(
    ...files.flatMap(({ file, probed }) =>
      probed
        .filter((each) => !each.live)
        .map((each) => `${file}: the hook for ${each.event} does not work: ${each.why}`),
    ),
  )
  const plugin = await examinePlugin(caller, agent, home, project, files.length > 0)
  wrong.push(...(plugin?.wrong ?? []))
  const isGuarded = files.length > 0 || plugin?.enabled === true
  return {
    host: installer.host,
    version: program?.version,
    found: program !== undefined,
    ...(installer.notProved === undefined ? {} : { notProved: installer.notProved }),
    files,
    elsewhere,
    wrong,
    todo: isGuarded ? todo : [],
    limits: await limitsOf(installer.host),
    cannotHold: isGuarded ? (await limitsFor(installer.host, hooks)).cannotHold : [],
    ...(plugin === undefined ? {} : { plugin }),
    ...(files.length === 0 ? {} : { importers: await importersOf(caller, installer) }),
  }
}

/** Agents on PATH that read the hooks of this one. */
async function importersOf(caller: Caller, { importers = [] }: Installer): Promise<readonly string[]> {
  const found = await Promise.all(
    importers.map(async (importer) => ({
      ...importer,
      at: await findAgent(importer.program, caller.env),
    })),
  )
  return found
    .filter(({ at }) => at !== undefined)
    .map(({ title, isProved }) =>
      isProved
        ? `${title} starts these hooks too, and is answered in its own words.`
        : `${title} may start these hooks too: it is not proved that it obeys the answers.`,
    )
}

function probeAs(
  caller: Caller,
  entry: InstalledEntry,
  home: Home,
  project: string,
  installer: Installer,
): Promise<Probed> {
  if (entry.headers !== undefined) return probeHttp(entry, home)
  const own = { CLAUDE_PROJECT_DIR: project, HOLDPOINT_HOME: home.folder }
  return probe(entry, project, home, { ...caller.env, ...own }, installer.probe)
}

const DOOR_MAX_MS = 5_000

/** Does what the agent does at the start of a session. */
async function openDoor(caller: Caller, home: Home): Promise<readonly string[]> {
  const open = await ensureHttpServer(home, caller.env, DOOR_MAX_MS)
  return open.ok ? [] : [describeProblem(open.problem)]
}

/** Files that contain the secret and that other users can read. */
function openFiles(files: readonly string[]): readonly string[] {
  return files
    .filter((file) => ((modeOf(file) ?? 0) & 0o077) !== 0)
    .map(
      (file) => `${file}: other users can read the secret of the HTTP port here. Run \`chmod 600 ${file}\`.`,
    )
}

function missingEvents(events: readonly string[], probed: readonly Probed[]): readonly string[] {
  return events.filter((event) => !probed.some((each) => each.event === event))
}

function changeLimits(rewrite: Abilities['rewrite'] | undefined): readonly string[] {
  if (rewrite === true) return []
  return rewrite === 'with-allow'
    ? ['a call is changed only where the hook also grants it; else it is denied with the suggested input.']
    : ['a changed input is not taken: the call is denied with the suggested input.']
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
    ...(before?.ask ? [] : ['this agent ignores `ask` before a call, so Holdpoint denies instead.']),
    ...changeLimits(before?.rewrite),
    `hooks cannot block these events, only see them: ${without((event) => event.deny).join(', ')}.`,
    ...(host.value.limits ?? []).map(({ says, instead }) =>
      instead === undefined ? says : `${says} ${instead}`,
    ),
  ]
}
