import type { ToolSet } from 'ai'
import type { JsonObject } from '../../json.ts'
import type { HookEvent, HookTool } from '../../runtime/hook-event.ts'
import type { HookResult } from '../../runtime/hook-result.ts'
import type { Runtime } from '../../runtime.ts'
import type { Courier } from './courier.ts'
import { isKept, isSameJson, rewrittenInput, type SeenInput, seenInput, seenOutput } from './judged-input.ts'

/** Who calls, and who is told: what all tools of a guarded set share. */
export interface Desk {
  readonly runtime: Pick<Runtime, 'evaluate'>
  readonly who: Pick<HookEvent, 'session' | 'agent' | 'agentType' | 'cwd'>
  readonly courier: Courier
  /** False: nobody reads the courier's messages, so they go to the tool's result. */
  readonly sendsMessages: boolean
  notify(notice: string): void
}

export interface GuardedCall {
  readonly name: string
  readonly tool: ToolSet[string]
  readonly toolCallId: string
  /** As the tool gets it. */
  readonly input: unknown
  /** As hooks see it. Undefined: it is no JSON. */
  readonly seen: SeenInput | undefined
}

export function guardedCall(
  name: string,
  tool: ToolSet[string],
  toolCallId: string,
  input: unknown,
): GuardedCall {
  return { name, tool, toolCallId, input, seen: seenInput(input) }
}

/** What hooks have to say beside the result. A call may be judged twice before it runs, so whoever knows delivers it. */
export interface Said {
  readonly notices: readonly string[]
  readonly messages: readonly string[]
}

/** What may become of a call that has not run. `texts` are for the model, below the result. */
export type Verdict = Said & (Stopped | Unstopped)

interface Stopped {
  readonly does: 'stop'
  readonly reason: string
}

interface Unstopped {
  readonly does: 'go' | 'ask'
  readonly input: unknown
  readonly isRewritten: boolean
  /** A granting hook said so: the tool's own question is left out. */
  readonly isGranted: boolean
  readonly reason: string
  readonly texts: readonly string[]
}

export async function judgeBefore(desk: Desk, call: GuardedCall): Promise<Verdict> {
  const verdict = await judgeOnce(desk, call)
  const { seen } = call
  if (verdict.does === 'stop' || verdict.rewrite === undefined || seen === undefined) return verdict
  const { rewrite } = verdict
  const made = await rewrittenInput(call.tool, seen, rewrite)
  if ('wrong' in made) {
    const reason = `A hook changed the input of ${call.name} to one it does not take: ${made.wrong}`
    return stopped(verdict, reason, verdict.texts)
  }
  const changed = { ...verdict, input: made.value, isRewritten: true }
  const next = guardedCall(call.name, call.tool, call.toolCallId, made.value)
  if (next.seen !== undefined && isKept(rewrite, next.seen.input)) return changed
  // Out of what the hooks wrote the schema made something nobody has judged.
  const again = await judgeOnce(desk, next)
  const said = {
    notices: all(verdict.notices, again.notices),
    messages: all(verdict.messages, again.messages),
  }
  if (again.does === 'stop') return { ...again, ...said }
  const isSettled = again.rewrite === undefined || isSameJson(again.rewrite, rewrite)
  const texts = all(verdict.texts, again.texts)
  if (!isSettled)
    return stopped(said, `Hooks and the schema of ${call.name} do not agree on its input.`, texts)
  const asks = [again, verdict].find(({ does }) => does === 'ask') ?? again
  return { ...changed, ...said, texts, does: asks.does, reason: asks.reason, isGranted: again.isGranted }
}

function all(first: readonly string[], second: readonly string[]): readonly string[] {
  return [...new Set([...first, ...second])]
}

/** `rewrite`: the input hooks want instead, which the tool may not take. */
type Judged = Said & (Stopped | (Unstopped & { readonly rewrite?: JsonObject }))

async function judgeOnce(desk: Desk, call: GuardedCall): Promise<Judged> {
  const halted = desk.courier.halted()
  if (halted !== undefined) return stopped(NOTHING, halted)
  const tool = hookTool(call)
  if (tool === undefined) {
    return stopped(NOTHING, `The input of ${call.name} is no JSON, so it cannot be judged.`)
  }
  const result = await evaluated(desk, { kind: 'PreToolUse', tool })
  if ('broken' in result) return stopped(NOTHING, result.broken)
  const { texts, ...said } = wordsOf(desk, result)
  if (result.halt !== undefined) desk.courier.halt(result.halt)
  if (result.allowed !== true && result.effect !== 'ask') return stopped(said, reasonOf(result), texts)
  if (result.halt !== undefined) return stopped(said, result.halt, texts)
  const { effect, input: rewrite } = result
  return {
    ...said,
    does: effect === 'ask' ? 'ask' : 'go',
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
  desk: Desk,
  call: GuardedCall,
  output: unknown,
  durationMs: number,
): Promise<Released> {
  const seen = seenOutput(output)
  const tool = hookTool(call)
  if (seen === undefined || tool === undefined) {
    return { withheld: `The output of ${call.name} is no JSON, so it cannot be judged. The tool has run.` }
  }
  const result = await evaluated(desk, { kind: 'PostToolUse', tool, output: seen.output, durationMs })
  if ('broken' in result) return { withheld: result.broken }
  const texts = textsOf(desk, result)
  if (result.allowed !== true) return { withheld: [reasonOf(result), ...texts].join('\n\n') }
  return { output: result.output === undefined ? output : result.output, texts }
}

/** The tool has failed: what the model is told beside its error. */
export async function judgeFailure(
  desk: Desk,
  call: GuardedCall,
  error: string,
  more: { readonly interrupted: boolean; readonly durationMs: number },
): Promise<readonly string[]> {
  const tool = hookTool(call)
  if (tool === undefined) return []
  const result = await evaluated(desk, { kind: 'PostToolUseFailure', tool, error, ...more })
  if ('broken' in result) return [result.broken]
  return [...(result.allowed ? [] : [reasonOf(result)]), ...textsOf(desk, result)]
}

function hookTool({ name, toolCallId, seen }: GuardedCall): HookTool | undefined {
  return seen === undefined ? undefined : { name, input: seen.input, useId: toolCallId }
}

async function evaluated(desk: Desk, event: HookEvent): Promise<HookResult | { readonly broken: string }> {
  try {
    return await desk.runtime.evaluate({ ...desk.who, ...event })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { broken: `Holdpoint itself failed: ${why}. Tell the user; do not try another way around.` }
  }
}

/** What is for this call's result, and what is not. */
function wordsOf(
  desk: Desk,
  { injections, notices }: HookResult,
): Said & { readonly texts: readonly string[] } {
  const { tool_result, user_message } = injections
  return desk.sendsMessages
    ? { notices: [...notices], messages: user_message, texts: tool_result }
    : { notices: [...notices], messages: [], texts: [...tool_result, ...user_message] }
}

/** Delivers what is not for this call's result, and returns what is. */
function textsOf(desk: Desk, result: HookResult): readonly string[] {
  const { texts, notices, messages } = wordsOf(desk, result)
  for (const notice of notices) desk.notify(notice)
  if (result.halt !== undefined) desk.courier.halt(result.halt)
  for (const message of messages) desk.courier.send(message)
  return texts
}

/** The call does not run, and what was said is said all the same. */
export function stopped(
  { notices, messages }: Said,
  reason: string,
  texts: readonly string[] = [],
): Said & Stopped {
  return { does: 'stop', reason: [reason, ...texts].join('\n\n'), notices, messages }
}

function reasonOf({ reason, findings }: HookResult): string {
  return reason ?? `Stopped by Holdpoint (${findings.map((finding) => finding.hook).join(', ')}).`
}
