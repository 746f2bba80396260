import { NO_OPINION } from '../../combine.ts'
import { lastResortOf } from '../../deadlines.ts'
import type { Decision } from '../../decision.ts'
import { HoldpointError, type Problem } from '../../errors.ts'
import { EVENT_KINDS, type Event } from '../../event.ts'
import { fitToHost } from '../../fit-to-host.ts'
import { type Abilities, type Host, NO_ABILITIES } from '../../hosts/host.ts'
import type { JsonObject } from '../../json.ts'
import { findHost } from '../../responder.ts'
import type { HookEvent } from '../../runtime/hook-event.ts'
import type { HookResult } from '../../runtime/hook-result.ts'
import type { Runtime } from '../../runtime.ts'
import { untilAborted } from '../until-aborted.ts'
import type { Carried } from './carried.ts'
import type { SdkOutput } from './sdk-types.ts'

/** What judges the payloads of one query. */
export interface Desk {
  readonly runtime: Pick<Runtime, 'evaluate'>
  readonly carried: Carried
}

/**
 * One payload of the SDK, which is the one Claude Code sends to command hooks, to the answer in the same words: read
 * and spelled by the host `claude-code`, judged by the runtime.
 */
export async function judgePayload(
  { runtime, carried }: Desk,
  input: { readonly hook_event_name: string },
  signal: AbortSignal,
): Promise<SdkOutput> {
  const host = await claudeCode()
  const decoded = host.decode({ payload: JSON.stringify(input), cwd: '' })
  if (!decoded.ok) return refused(host, decoded.problem, input.hook_event_name)
  const event = decoded.value
  const can = host.events[event.kind] ?? NO_ABILITIES
  try {
    const result = await untilAborted(runtime.evaluate(hookEventOf(event)), signal)
    const decision = fitToHost(carried.through(event, decisionOf(result), can), can)
    return spoken(host, host.encode(decision, event), event.kind)
  } catch (error) {
    // Nobody waits for the answer to a hook that was cancelled.
    if (signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    return refused(host, { code: 'INTERNAL', message: `Holdpoint itself failed: ${why}.` }, event.kind)
  }
}

/** The same for a question of permission that comes by another way, with the abilities of that way. */
export async function judgePermission(
  { runtime }: Desk,
  payload: JsonObject,
  can: Abilities,
  signal: AbortSignal,
): Promise<Decision> {
  const host = await claudeCode()
  const decoded = host.decode({ payload: JSON.stringify(payload), cwd: '' })
  if (!decoded.ok) throw new HoldpointError(decoded.problem)
  const result = await untilAborted(runtime.evaluate(hookEventOf(decoded.value)), signal)
  return fitToHost(decisionOf(result), can)
}

async function claudeCode(): Promise<Host> {
  const host = await findHost('claude-code')
  if (!host.ok) throw new HoldpointError(host.problem)
  return host.value
}

/** What the event says of itself, and of the payload what no field of the event holds. */
function hookEventOf(event: Event): HookEvent {
  const { host: _host, name: _name, raw, agentId, ...fields } = event
  const { tool_name: _tool, tool_input: _input, tool_use_id: _id, tool_response: _output, ...rest } = raw
  return { ...rest, ...fields, ...(agentId === undefined ? {} : { agent: agentId }) } as HookEvent
}

function decisionOf(result: HookResult): Decision {
  const { effect, reasons, injections, notices, input, output, halt, findings } = result
  const texts = [...injections.tool_result, ...injections.user_message]
  return {
    ...NO_OPINION,
    effect,
    reasons,
    notices,
    findings,
    context: texts.map((text) => ({ text, to: 'self' })),
    because: findings.filter((finding) => finding.effect === effect).map((finding) => finding.hook),
    ...(input === undefined ? {} : { rewrite: input }),
    ...(output === undefined ? {} : { output }),
    ...(halt === undefined ? {} : { halt }),
  }
}

/** Nothing could be decided: what that means is the event's matter, as at every host. */
function refused(host: Host, problem: Problem, name: string): SdkOutput {
  const kind = EVENT_KINDS.find((known) => known === name)
  return spoken(host, host.refuse(problem, { effect: lastResortOf(kind), kind }), kind)
}

/** A callback has no exit code, just as a hook over HTTP has none. */
function spoken(host: Host, reply: ReturnType<Host['encode']>, kind: Event['kind'] | undefined): SdkOutput {
  const answer = host.overHttp?.(reply, kind)
  if (answer === undefined || answer.status !== 200) throw new Error(reply.stderr)
  return JSON.parse(answer.body) as SdkOutput
}
