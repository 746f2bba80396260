import { resolve } from 'node:path'
import type { LoadedPlan } from '../../app/load-plan.ts'
import { type Rehearsal, rehearse } from '../../app/rehearse.ts'
import { abilitiesAt, createResponder } from '../../app/responder.ts'
import { packsOfSkills } from '../../config/skill-packs.ts'
import { HoldpointError } from '../../core/errors.ts'
import { EVENT_KINDS, type Event } from '../../core/event.ts'
import { guardRunOf } from '../../core/guard-run.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { findHost } from '../../hosts/find-host.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import { homeLayout } from '../../system/home.ts'
import { liveFacts } from '../../system/live-facts.ts'
import { findProject } from '../../system/project.ts'

/** The options that `test` and `explain` have in common. */
export interface CallOptions {
  readonly tool?: string
  readonly args: string
  readonly event: string
  readonly agentType?: string
  readonly skill?: readonly string[]
  readonly host?: string
  readonly pack?: readonly string[]
  readonly config?: string
  readonly cwd?: string
  readonly home?: string
  readonly json?: boolean
}

export interface TriedCall extends Rehearsal {
  readonly event: Event
  readonly loaded: LoadedPlan
  /** The home folder of who tries it. */
  readonly userHome: string
  /** Packs that a named skill added for this try, and that are not on in this folder. */
  readonly addedPacks: readonly string[]
  /** Files whose imports do not count, because a person has not trusted them. */
  readonly ignoredImports: readonly string[]
  /** Files whose hooks this agent runs itself, so Holdpoint does not. */
  readonly leftToHost: readonly string[]
}

/** Who tries a call: a command, as it was started. */
export interface TryingCaller {
  /** The folder that relative paths start from. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
}

/** The call that runs a shell command. The other options say who calls, and where. */
export function commandCall<O extends CallOptions>(command: string, options: O): O {
  const other =
    options.tool !== undefined
      ? '--tool'
      : options.args !== '{}'
        ? '--args'
        : options.event !== 'PreToolUse'
          ? '--event'
          : undefined
  if (other !== undefined) {
    const message = `A command is a call already, so ${other} cannot be used with it.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: other, message })
  }
  if (command.trim() === '')
    throw new HoldpointError({ code: 'OPTION_INVALID', message: 'The command is empty.' })
  return { ...options, tool: 'Bash', args: JSON.stringify({ command }) }
}

/** Builds a call from the options and evaluates it with the policies of its folder. No state is saved. */
export async function tryCall(caller: TryingCaller, options: CallOptions): Promise<TriedCall> {
  const cwd = resolve(caller.cwd, options.cwd ?? '.')
  const host = await findHost(options.host ?? 'claude-code')
  if (!host.ok) throw new HoldpointError(host.problem)
  const event: Event = { ...(await mockEvent(options, cwd)), host: host.value.id }
  if (event.kind === 'Unknown') {
    throw new HoldpointError({
      code: 'EVENT_UNKNOWN',
      key: '--event',
      message: `There is no event "${options.event}".`,
      fix: `Use one of: ${EVENT_KINDS.filter((kind) => kind !== 'Unknown').join(', ')}.`,
    })
  }
  const project = findProject(cwd)
  const skillPacks = packsOfSkills(options.skill ?? [])
  const loaded = await planFor(caller, project, options, skillPacks)
  const without = skillPacks.length === 0 ? loaded : await planFor(caller, project, options, [])
  const usual = packsIn(without)
  const facts = liveFacts({ cwd, home: caller.userHome, project, env: caller.env })
  // Without --host the decision is the policies' own, whatever an agent makes of it.
  const can = options.host === undefined ? {} : { can: abilitiesAt(host.value, event) }
  const rehearsal = await rehearse(loaded, event, { facts, skills: options.skill ?? [], ...can })
  const addedPacks = [...packsIn(loaded)].filter((pack) => !usual.has(pack))
  return {
    ...rehearsal,
    event,
    loaded,
    userHome: caller.userHome,
    addedPacks,
    ignoredImports: loaded.ignoredImports ?? [],
    leftToHost: filesLeftTo(event, loaded),
  }
}

/** The plan of a project as this command line asks for it. */
export async function planFor(
  caller: TryingCaller,
  project: string,
  options: Pick<CallOptions, 'home' | 'pack' | 'config'>,
  skillPacks: readonly string[] = [],
): Promise<LoadedPlan> {
  const responder = createResponder({
    home: homeLayout(options.home, caller.env),
    state: createMemoryState(),
    now: () => performance.now(),
    packs: options.pack ?? [],
    skillPacks,
    ...(options.config === undefined ? {} : { config: resolve(caller.cwd, options.config) }),
  })
  const loaded = await responder.plan(project)
  if (!loaded.ok) throw new HoldpointError(loaded.problem)
  return loaded.value
}

function filesLeftTo({ host, kind }: Event, { plan }: LoadedPlan): readonly string[] {
  const left = plan.hooks.filter(({ on, match }) => on === kind && match.exceptHost === host)
  return [...new Set(left.map(({ origin }) => origin.file))]
}

function packsIn({ plan }: LoadedPlan): ReadonlySet<string> {
  return new Set(plan.hooks.flatMap(({ run }) => guardRunOf(run)?.pack ?? []))
}

/** Uses the host's own decoder, so that a test call means the same as a real call in a session. */
export async function decodeCall(payload: JsonObject, cwd: string): Promise<Event> {
  const host = await findHost('claude-code')
  if (!host.ok) throw new HoldpointError(host.problem)
  const event = host.value.decode({ payload: JSON.stringify(payload), cwd })
  if (!event.ok) throw new HoldpointError(event.problem)
  return event.value
}

/** The event of a call that nobody made. */
export function mockEvent(
  options: Pick<CallOptions, 'tool' | 'args' | 'event' | 'agentType'>,
  cwd: string,
): Promise<Event> {
  const args = parseArgs(options.args)
  const agent =
    options.agentType === undefined ? {} : { agent_id: 'mock-agent', agent_type: options.agentType }
  const about =
    options.tool === undefined
      ? args
      : { tool_name: options.tool, tool_input: args, ...afterwards(options.event, args) }
  return decodeCall({ session_id: 'mock', cwd, hook_event_name: options.event, ...agent, ...about }, cwd)
}

/** A finished call also has a result. `--args` may contain it next to the input. */
function afterwards(event: string, args: JsonObject): JsonObject {
  return event === 'PostToolUse' && args.tool_response !== undefined
    ? { tool_response: args.tool_response }
    : {}
}

function parseArgs(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--args',
      message: `This is not JSON: ${why}`,
      fix: 'Quote it for your shell: --args \'{"command": "ls"}\'',
    })
  }
  if (!isObject(value)) {
    throw new HoldpointError({
      code: 'OPTION_INVALID',
      key: '--args',
      message: 'This must be a JSON object.',
    })
  }
  return value
}
