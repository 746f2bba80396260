import type { ToolSet } from 'ai'
import type { HookEvent, HookTool } from '../../runtime/hook-event.ts'
import type { HookResult } from '../../runtime/hook-result.ts'
import type { Runtime } from '../../runtime.ts'
import type { Courier } from './courier.ts'
import { rewrittenInput, type SeenInput, seenInput, seenOutput } from './judged-input.ts'

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

/** What may become of a call that has not run. `texts` are for the model, below the result. */
export type Verdict =
  | { readonly does: 'stop'; readonly reason: string }
  | {
      readonly does: 'go' | 'ask'
      readonly input: unknown
      readonly isRewritten: boolean
      /** A granting hook said so: the tool's own question is left out. */
      readonly isGranted: boolean
      readonly reason: string
      readonly texts: readonly string[]
    }

export async function judgeBefore(desk: Desk, call: GuardedCall): Promise<Verdict> {
  const halted = desk.courier.halted()
  if (halted !== undefined) return { does: 'stop', reason: halted }
  const tool = hookTool(call)
  if (tool === undefined) return stopped(`The input of ${call.name} is no JSON, so it cannot be judged.`)
  const result = await evaluated(desk, { kind: 'PreToolUse', tool })
  if ('broken' in result) return stopped(result.broken)
  const texts = textsOf(desk, result)
  if (result.allowed !== true && result.effect !== 'ask') return stopped(reasonOf(result), texts)
  if (result.halt !== undefined) return stopped(result.halt, texts)
  const rewrite = result.input
  const input =
    rewrite === undefined ? { value: call.input } : await rewrittenInput(call.tool, call.input, rewrite)
  if ('wrong' in input) {
    return stopped(`A hook changed the input of ${call.name} to one it does not take: ${input.wrong}`, texts)
  }
  return {
    does: result.effect === 'ask' ? 'ask' : 'go',
    input: input.value,
    isRewritten: rewrite !== undefined,
    isGranted: result.effect === 'allow',
    reason: reasonOf(result),
    texts,
  }
}

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

/** Delivers what is not for this call's result, and returns what is. */
function textsOf(desk: Desk, { injections, notices, halt }: HookResult): readonly string[] {
  for (const notice of notices) desk.notify(notice)
  if (halt !== undefined) desk.courier.halt(halt)
  if (!desk.sendsMessages) return [...injections.tool_result, ...injections.user_message]
  for (const text of injections.user_message) desk.courier.send(text)
  return injections.tool_result
}

function stopped(reason: string, texts: readonly string[] = []): Verdict {
  return { does: 'stop', reason: [reason, ...texts].join('\n\n') }
}

function reasonOf({ reason, findings }: HookResult): string {
  return reason ?? `Stopped by Holdpoint (${findings.map((finding) => finding.hook).join(', ')}).`
}
