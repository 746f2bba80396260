import { spawn } from 'node:child_process'
import { type InstalledHooks, readInstalledHooks } from '../config/installed-hooks.ts'
import { HoldpointError } from '../core/errors.ts'
import type { InstallPlaces } from '../core/host.ts'
import type { Installer } from '../hosts/installer.ts'
import { switchedOffBy } from '../policy/analysis/agent-switches.ts'
import { exactWord } from '../shell/words/words.ts'
import type { Home } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import { type Agent, knownAgents, places } from '../tools/status/agents.ts'
import { switchedOffHere } from '../tools/status/guarded.ts'
import { type Caller, homeNamed } from './caller.ts'

interface RunOptions {
  readonly home?: string
}

/**
 * Starts an agent only where its hooks hold. A project's settings can switch off hooks before any hook could say so;
 * this looks first, and again when the session is over.
 */
export async function run(
  caller: Caller,
  name: string,
  args: readonly string[],
  options: RunOptions,
): Promise<void> {
  const home = homeNamed(caller, options.home)
  const agent = await agentNamed(caller, name)
  const { installer, program } = agent
  if (program === undefined) {
    throw new HoldpointError({
      code: 'HOST_UNKNOWN',
      message: `${installer.program} is not on PATH, so it cannot be started.`,
      fix: `Install ${installer.program}, or add its folder to PATH.`,
    })
  }
  const where = places(findProject(caller.cwd), caller.env, caller.cwd)
  const before = await problemsOf(installer, args, where, home)
  if (before.length > 0) throw refusal(installer, before)
  caller.exitCode = await startAgent(caller, program.path, args)
  const after = await problemsOf(installer, [], where, home)
  for (const problem of after) caller.stderr.write(`holdpoint: during this session: ${problem}\n`)
  if (after.length > 0) {
    caller.stderr.write('holdpoint: calls after that may not have been checked. Run `holdpoint doctor`.\n')
    caller.exitCode = caller.exitCode === 0 ? HOOKS_LOST : caller.exitCode
  }
}

/** The session itself ended well, but not under its hooks. */
const HOOKS_LOST = 75

/** By the name of its program, or by Holdpoint's own name for it. */
async function agentNamed(caller: Caller, name: string): Promise<Agent> {
  const agents = await knownAgents(caller.env)
  const agent = agents.find(({ installer }) => installer.program === name || installer.host === name)
  if (agent !== undefined) return agent
  const known = agents.map(({ installer }) => installer.program).join(', ')
  throw new HoldpointError({
    code: 'HOST_UNKNOWN',
    message: `Holdpoint does not know the agent "${name}".`,
    fix: `Use one of: ${known}.`,
  })
}

async function problemsOf(
  installer: Installer,
  args: readonly string[],
  where: InstallPlaces,
  home: Home,
): Promise<readonly string[]> {
  const hooks = await readInstalledHooks({ home, project: where.project })
  const variables = Object.entries(where.env).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: exactWord(value) }],
  )
  const usual = variables.filter(({ name }) => !MOVING.has(name))
  const started = { name: installer.program, args: args.map(exactWord) }
  const off = switchedOffBy(started, usual, where.home)
  return [
    ...missingHooks(installer, hooks, where),
    ...(off === undefined ? [] : [`it would be started with ${off.by}, which leaves hooks out`]),
  ]
}

/** Where these lead is looked at itself: a person's own folders are where they say. */
const MOVING: ReadonlySet<string> = new Set([
  'HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'HOLDPOINT_HOME',
  'XDG_CONFIG_HOME',
])

const NO_HOOKS = 'no hooks are installed'

function missingHooks(
  installer: Installer,
  { installs, switchedOff: off }: InstalledHooks,
  where: InstallPlaces,
): readonly string[] {
  const files = new Set(
    (['user', 'local', 'project'] as const).flatMap((scope) => installer.file(scope, where) ?? []),
  )
  const own = installs.filter(
    ({ host, scope, file }) => host === installer.host && (scope === 'managed' || files.has(file)),
  )
  const whole = own.filter(({ wrong }) => wrong === undefined)
  // An administrator's settings count whatever the others say.
  if (whole.some(({ scope }) => scope === 'managed')) return []
  const lost = own.map(({ file, wrong }) => `${file} ${wrong}`)
  const none = own.length === 0 ? [`${NO_HOOKS} for ${installer.program} here`] : lost
  const known = off.filter(({ host }) => host === installer.host).map(({ file, wrong }) => `${file} ${wrong}`)
  const here = switchedOffHere(installer, where).map((line) => line.replace(/\.$/, ''))
  return [...(whole.length > 0 ? [] : none), ...new Set([...known, ...here])]
}

function refusal({ program, host }: Installer, problems: readonly string[]): HoldpointError {
  const isMissing = problems.every((problem) => problem.startsWith(NO_HOOKS))
  return new HoldpointError({
    code: 'HOOKS_OFF',
    ...(isMissing ? { fix: `Run \`holdpoint init --host ${host}\`.` } : {}),
    message: `${program} was not started, because its hooks would not run: ${problems.join('; ')}.`,
  })
}

/** The terminal is the agent's; Ctrl-C reaches both, and only the agent answers it. */
function startAgent(caller: Caller, file: string, args: readonly string[]): Promise<number> {
  return new Promise((done) => {
    const undo = caller.onSignals(['SIGINT'], () => {})
    const child = spawn(file, args, { stdio: 'inherit', cwd: caller.cwd, env: caller.env })
    child.on('error', (error) => {
      caller.stderr.write(`holdpoint: ${file} cannot be started: ${error.message}\n`)
      done(69)
    })
    child.on('exit', (code) => {
      undo()
      done(code ?? 70)
    })
  })
}
