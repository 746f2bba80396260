import type { JsonObject } from '../core/json.ts'
import type { HookEvent, HookTool } from '../library/hook-event.ts'
import type { HookResult } from '../library/hook-result.ts'
import type { Runtime } from '../library/runtime.ts'
import {
  type AcceptedInput,
  isKept,
  isSameJson,
  type SeenInput,
  seenInput,
  seenOutput,
} from './judged-input.ts'

/** What hooks say to the run outside of a call's result: messages for the model, and the end of the run. */
export interface RunMessages {
  send(text: string): void
  halt(why: string): void
  /** Why the run ends; undefined while it may go on. */
  halted(): string | undefined
}

/** The agent that calls and the functions that get messages: shared by all tools of a guarded set. */
export interface GuardContext {
  readonly runtime: Pick<Runtime, 'evaluate'>
  readonly who: Pick<HookEvent, 'session' | 'agent' | 'agentType' | 'cwd'>
  readonly courier: RunMessages
  /** False: there is no courier, so messages are added to the tool's result. */
  readonly sendsMessages: boolean
  notify(notice: string): void
}

export interface GuardedCall {
  readonly name: string
  /** Empty if the SDK gives none. */
  readonly toolCallId: string
  /** As the tool gets it. */
  readonly input: unknown
  /** As hooks see it. Undefined: it is not JSON. */
  readonly seen: SeenInput | undefined
  /** The input that the tool gets if hooks write this one, or why it does not accept it. */
  accept(rewrite: JsonObject): AcceptedInput | Promise<AcceptedInput>
}

/** The same call with another input. */
function withInput(call: GuardedCall, input: unknown): GuardedCall {
  return { ...call, input, seen: seenInput(input) }
}

/**
 * What hooks say in addition to the result. A call may be checked twice before it runs, so the caller
 * delivers it once.
 */
export interface Said {
  readonly notices: readonly string[]
  readonly messages: readonly string[]
}

/** What may happen to a call that has not run. `texts` are for the model, below the result. */
export type CallVerdict = Said & (Stopped | Unstopped)

interface Stopped {
  readonly kind: 'stop'
  readonly reason: string
}

interface Unstopped {
  readonly kind: 'go' | 'ask'
  readonly input: unknown
  readonly isRewritten: boolean
  /** A hook that may grant permissions allowed it: the tool's own question is skipped. */
  readonly isGranted: boolean
  readonly reason: string
  readonly texts: readonly string[]
}

export async function judgeBefore(context: GuardContext, call: GuardedCall): Promise<CallVerdict> {
  const verdict = await judgeOnce(context, call)
  const { seen } = call
  if (verdict.kind === 'stop' || verdict.rewrite === undefined || seen === undefined) return verdict
  const { rewrite } = verdict
  const made = await call.accept(rewrite)
  if ('wrong' in made) {
    const reason = `A hook changed the input of ${call.name} to one that the tool does not accept: ${made.wrong}`
    return stopped(verdict, reason, verdict.texts)
  }
  const changed = { ...verdict, input: made.value, isRewritten: true }
  const next = withInput(call, made.value)
  if (next.seen !== undefined && isKept(rewrite, next.seen.input)) return changed
  // The schema turned the hooks' input into something that no hook has checked.
  const again = await judgeOnce(context, next)
  const said = {
    notices: all(verdict.notices, again.notices),
    messages: all(verdict.messages, again.messages),
  }
  if (again.kind === 'stop') return { ...again, ...said }
  const isSettled = again.rewrite === undefined || isSameJson(again.rewrite, rewrite)
  const texts = all(verdict.texts, again.texts)
  if (!isSettled)
    return stopped(said, `The hooks and the schema of ${call.name} do not agree on its input.`, texts)
  const asks = [again, verdict].find(({ kind }) => kind === 'ask') ?? again
  return { ...changed, ...said, texts, kind: asks.kind, reason: asks.reason, isGranted: again.isGranted }
}

function all(first: readonly string[], second: readonly string[]): readonly string[] {
  return [...new Set([...first, ...second])]
}

/** `rewrite`: the input that hooks want instead, which the tool may not accept. */
type Judged = Said & (Stopped | (Unstopped & { readonly rewrite?: JsonObject }))

async function judgeOnce(context: GuardContext, call: GuardedCall): Promise<Judged> {
  const halted = context.courier.halted()
  if (halted !== undefined) return stopped(NOTHING, halted)
  const tool = hookTool(call)
  if (tool === undefined) {
    return stopped(NOTHING, `The input of ${call.name} is not JSON, so hooks cannot check it.`)
  }
  const result = await evaluated(context, { kind: 'PreToolUse', tool })
  if ('broken' in result) return stopped(NOTHING, result.broken)
  const { texts, ...said } = wordsOf(context, result)
  if (result.halt !== undefined) context.courier.halt(result.halt)
  if (result.allowed !== true && result.effect !== 'ask') return stopped(said, reasonOf(result), texts)
  if (result.halt !== undefined) return stopped(said, result.halt, texts)
  const { effect, input: rewrite } = result
  return {
    ...said,
    kind: effect === 'ask' ? 'ask' : 'go',
    input: call.input,
    isRewritten: false,
    isGranted: effect === 'allow',
    reason: reasonOf(result),
    texts,
    ...(rewrite === undefined || isSameJson(rewrite, tool.input) ? {} : { rewrite }),
  }
}

const NOTHING: Said = { notices: [], messages: [] }

export type Released =
  | { readonly output: unknown; readonly texts: readonly string[] }
  | { readonly withheld: string }

/** The tool has run: what the program and the model may see of it. */
export async function judgeAfter(
  context: GuardContext,
  call: GuardedCall,
  output: unknown,
  durationMs: number,
): Promise<Released> {
  const seen = seenOutput(output)
  const tool = hookTool(call)
  if (seen === undefined || tool === undefined) {
    return { withheld: `The output of ${call.name} is not JSON, so it cannot be checked. The tool has run.` }
  }
  const result = await evaluated(context, { kind: 'PostToolUse', tool, output: seen.output, durationMs })
  if ('broken' in result) return { withheld: result.broken }
  const texts = textsOf(context, result)
  if (result.allowed !== true) return { withheld: [reasonOf(result), ...texts].join('\n\n') }
  return { output: result.output === undefined ? output : result.output, texts }
}

/** The tool has failed: the texts for the model in addition to its error. */
export async function judgeFailure(
  context: GuardContext,
  call: GuardedCall,
  error: string,
  more: { readonly interrupted: boolean; readonly durationMs: number },
): Promise<readonly string[]> {
  const tool = hookTool(call)
  if (tool === undefined) return []
  const result = await evaluated(context, { kind: 'PostToolUseFailure', tool, error, ...more })
  if ('broken' in result) return [result.broken]
  return [...(result.allowed ? [] : [reasonOf(result)]), ...textsOf(context, result)]
}

function hookTool({ name, toolCallId, seen }: GuardedCall): HookTool | undefined {
  if (seen === undefined) return undefined
  return { name, input: seen.input, ...(toolCallId === '' ? {} : { useId: toolCallId }) }
}

async function evaluated(
  context: GuardContext,
  event: HookEvent,
): Promise<HookResult | { readonly broken: string }> {
  try {
    return await context.runtime.evaluate({ ...context.who, ...event })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { broken: `Holdpoint itself failed: ${why}. Tell the user, and do not work around this.` }
  }
}

/** The texts for this call's result, and the others. */
function wordsOf(
  context: GuardContext,
  { injections, notices }: HookResult,
): Said & { readonly texts: readonly string[] } {
  const { tool_result, user_message } = injections
  return context.sendsMessages
    ? { notices: [...notices], messages: user_message, texts: tool_result }
    : { notices: [...notices], messages: [], texts: [...tool_result, ...user_message] }
}

/** Delivers the texts that are not for this call's result, and returns the others. */
function textsOf(context: GuardContext, result: HookResult): readonly string[] {
  const { texts, notices, messages } = wordsOf(context, result)
  for (const notice of notices) context.notify(notice)
  if (result.halt !== undefined) context.courier.halt(result.halt)
  for (const message of messages) context.courier.send(message)
  return texts
}

/** The call does not run, but the texts are still delivered. */
export function stopped(
  { notices, messages }: Said,
  reason: string,
  texts: readonly string[] = [],
): Said & Stopped {
  return { kind: 'stop', reason: [reason, ...texts].join('\n\n'), notices, messages }
}

function reasonOf({ reason, findings }: HookResult): string {
  return reason ?? `Stopped by Holdpoint (${findings.map((finding) => finding.hook).join(', ')}).`
}
