import { invokeFunctionTool } from '@openai/agents'
import { type GuardedCall, judgeAfter, judgeFailure } from '../judge-call.ts'
import { untilAborted } from '../until-aborted.ts'
import { changedCopy } from './changed-copy.ts'
import { agentCall, functionCall, readArguments, writtenArguments } from './guarded-call.ts'
import type { Lifetime } from './lineage.ts'
import { withTexts } from './result-texts.ts'
import type { RunAgent } from './run-agent.ts'
import type { AnyContext, FunctionTool } from './sdk-types.ts'
import { takeFailure } from './tool-failure.ts'

export interface FunctionToolOptions {
  /** The tool runs another agent. */
  readonly starts?: { readonly agent: string; readonly lifetime: Lifetime }
  /** The tool's own `needsApproval` stays: it never asks, and hooks ask through a callback. */
  readonly keepsApproval?: boolean
}

/** A function tool with hooks: also a tool of an MCP server, and an agent that is used as a tool. */
export function guardFunctionTool(
  tool: FunctionTool,
  guard: RunAgent,
  { starts, keepsApproval = false }: FunctionToolOptions = {},
): FunctionTool {
  const { context, gate, run } = guard
  const callOf = (id: string, input: unknown) =>
    starts === undefined ? functionCall(tool.name, id, input) : agentCall(starts.agent, id, input)

  const needsApproval: FunctionTool['needsApproval'] = async (runContext, input, callId = '') => {
    const { verdict, isAsked } = await gate.before(callOf(callId, input), {
      signal: run.signal,
      hasYes: isApproved(runContext, tool, callId),
      runsElsewhere: false,
      ownQuestion: (checked) => tool.needsApproval(runContext, checked as typeof input, callId),
    })
    // A denied call reaches `invoke`, which gives the reason.
    return verdict.kind !== 'stop' && isAsked
  }

  const invoke: FunctionTool['invoke'] = async (runContext, text, details) => {
    const signal = details?.signal ?? run.signal
    const callId = details?.toolCall?.callId ?? ''
    const call = callOf(callId, readArguments(text))
    const verdict = await gate.begin(call, { signal, hasYes: isApproved(runContext, tool, callId) })
    if (verdict.kind === 'stop') return verdict.reason
    const running = verdict.isRewritten ? callOf(callId, verdict.input) : call
    const startedMs = performance.now()
    await starts?.lifetime.begin(callId)
    let output: unknown
    try {
      const input = writtenArguments(text, verdict)
      output = await invokeFunctionTool({
        tool,
        runContext,
        input,
        ...(details === undefined ? {} : { details }),
      })
    } catch (error) {
      await starts?.lifetime.end(callId)
      await failureTexts(running, error instanceof Error ? error.message : String(error), startedMs, signal)
      throw error
    }
    // An agent that waits for an approval has no output yet; it runs again when the user has answered.
    if (starts !== undefined && output === '') return output
    await starts?.lifetime.end(callId, typeof output === 'string' ? output : undefined)
    const error = takeFailure(details)
    if (error !== undefined) {
      return told(output, [...verdict.texts, ...(await failureTexts(running, error, startedMs, signal))])
    }
    const released = await untilAborted(judgeAfter(context, running, output, since(startedMs)), signal)
    if ('withheld' in released) return released.withheld
    return told(released.output, [...verdict.texts, ...released.texts])
  }

  /** A cancelled call does not wait for hooks. */
  const failureTexts = async (
    call: GuardedCall,
    error: string,
    startedMs: number,
    signal: AbortSignal | undefined,
  ): Promise<readonly string[]> => {
    const interrupted = signal?.aborted === true
    const judged = judgeFailure(context, call, error, { interrupted, durationMs: since(startedMs) })
    return interrupted ? [] : await untilAborted(judged, signal)
  }

  /** An output with a schema must stay as it is, so texts become messages if they can. */
  const told = (output: unknown, texts: readonly string[]): unknown => {
    if (tool.outputSchema === undefined || !context.sendsMessages) return withTexts(output, texts)
    for (const text of texts) context.courier.send(text)
    return output
  }

  return changedCopy(tool, {
    ...(keepsApproval ? {} : { needsApproval }),
    invoke,
    // The time limit is for the tool alone, not for hooks and the user: `invokeFunctionTool` keeps it.
    timeoutMs: undefined,
  })
}

/** Whether the user has approved this call, or every call of this tool. The SDK has checked it. */
function isApproved(runContext: AnyContext, { name }: FunctionTool, callId: string): boolean {
  return callId !== '' && runContext.isToolApproved({ toolName: name, callId }) === true
}

function since(startedMs: number): number {
  return Math.round(performance.now() - startedMs)
}
