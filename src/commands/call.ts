import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { HoldpointError } from '../errors.ts'
import type { Event } from '../event.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { LoadedPlan } from '../load-plan.ts'
import { type Rehearsal, rehearse } from '../rehearse.ts'
import { createResponder, findHost } from '../responder.ts'
import { packsOfSkills } from '../skill-packs.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { homeLayout } from '../world/home.ts'
import { liveFacts } from '../world/live-facts.ts'
import { findProject } from '../world/project.ts'

/** The options `test` and `explain` share. */
export interface CallOptions {
  readonly tool?: string
  readonly args: string
  readonly event: string
  readonly agentType?: string
  readonly skill?: readonly string[]
  readonly pack?: readonly string[]
  readonly config?: string
  readonly cwd?: string
  readonly home?: string
  readonly json?: boolean
}

export interface TriedCall extends Rehearsal {
  readonly event: Event
  readonly loaded: LoadedPlan
}

/** A call made up from options, judged by the policies that hold in its folder. Nothing is committed. */
export async function tryCall(options: CallOptions): Promise<TriedCall> {
  const cwd = resolve(options.cwd ?? process.cwd())
  const event = await mockEvent(options, cwd)
  const project = findProject(cwd)
  const responder = createResponder({
    home: homeLayout(options.home, process.env),
    state: createMemoryState(),
    now: () => performance.now(),
    packs: options.pack ?? [],
    skillPacks: packsOfSkills(options.skill ?? []),
    ...(options.config === undefined ? {} : { config: resolve(options.config) }),
  })
  const loaded = await responder.plan(project)
  if (!loaded.ok) throw new HoldpointError(loaded.problem)
  const facts = liveFacts({ cwd, home: homedir(), project, env: process.env })
  const rehearsal = await rehearse(loaded.value, event, { facts, skills: options.skill ?? [] })
  return { ...rehearsal, event, loaded: loaded.value }
}

/** Through the host's own decode, so that a tried call means what the same call means in a session. */
export async function decodeCall(payload: JsonObject, cwd: string): Promise<Event> {
  const host = await findHost('claude-code')
  if (!host.ok) throw new HoldpointError(host.problem)
  const event = host.value.decode({ payload: JSON.stringify(payload), cwd })
  if (!event.ok) throw new HoldpointError(event.problem)
  return event.value
}

function mockEvent(options: CallOptions, cwd: string): Promise<Event> {
  const args = parseArgs(options.args)
  const agent =
    options.agentType === undefined ? {} : { agent_id: 'mock-agent', agent_type: options.agentType }
  const about =
    options.tool === undefined
      ? args
      : { tool_name: options.tool, tool_input: args, ...afterwards(options.event, args) }
  return decodeCall({ session_id: 'mock', cwd, hook_event_name: options.event, ...agent, ...about }, cwd)
}

/** A finished call also has a result; `--args` may hold it beside the input. */
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
