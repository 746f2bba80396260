import { lastResortOf } from '../../core/deadlines.ts'
import type { Decision } from '../../core/decision.ts'
import { NO_OPINION } from '../../core/engine/combine.ts'
import { fitToHost } from '../../core/engine/fit-to-host.ts'
import { HoldpointError, type Problem } from '../../core/errors.ts'
import { EVENT_KINDS, type Event } from '../../core/event.ts'
import { type Abilities, type Host, NO_ABILITIES } from '../../core/host.ts'
import type { JsonObject } from '../../core/json.ts'
import { findHost } from '../../hosts/find-host.ts'
import type { HookEvent } from '../../library/hook-event.ts'
import type { HookResult } from '../../library/hook-result.ts'
import type { Runtime } from '../../library/runtime.ts'
import { untilAborted } from '../until-aborted.ts'
import type { Carried } from './carried.ts'
import type { SdkOutput } from './sdk-types.ts'

/** What evaluates the payloads of one query. */
export interface QueryContext {
  readonly runtime: Pick<Runtime, 'evaluate'>
  readonly carried: Carried
}

/**
 * Evaluates one payload of the SDK, which is the one that Claude Code sends to command hooks. The host
 * `claude-code` decodes it and encodes the answer; the runtime decides.
 */
export async function judgePayload(
  { runtime, carried }: QueryContext,
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
    // The answer to a cancelled hook is not used.
    if (signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    return refused(host, { code: 'INTERNAL', message: `Holdpoint itself failed: ${why}.` }, event.kind)
  }
}

/** The same for a permission question that comes through `canUseTool`, with the abilities of that way. */
export async function judgePermission(
  { runtime }: QueryContext,
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

/** The fields of the event, and the fields of the payload that the event does not have. */
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

/** Nothing could be decided: the event determines what that means, as at every host. */
function refused(host: Host, problem: Problem, name: string): SdkOutput {
  const kind = EVENT_KINDS.find((known) => known === name)
  return spoken(host, host.refuse(problem, { effect: lastResortOf(kind), kind }), kind)
}

/** A callback has no exit code, and neither has a hook over HTTP. */
function spoken(host: Host, reply: ReturnType<Host['encode']>, kind: Event['kind'] | undefined): SdkOutput {
  const answer = host.overHttp?.(reply, kind)
  if (answer === undefined || answer.status !== 200) throw new Error(reply.stderr)
  return JSON.parse(answer.body) as SdkOutput
}
