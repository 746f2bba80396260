import type { ToolSet } from 'ai'
import type { GuardContext } from '../judge-call.ts'
import type { Ask } from '../question.ts'
import { createToolGate } from './gate.ts'
import type { ModelTexts } from './model-output.ts'
import { failureOf, lastValue, releaseOutput } from './release-output.ts'

type AnyTool = ToolSet[string]
type Execute = NonNullable<AnyTool['execute']>
type ExecuteOptions = Parameters<Execute>[1]

export interface ToolGuard {
  readonly context: GuardContext
  readonly told: ModelTexts
  readonly ask?: Ask
  /** A streaming tool's values before the last reach the program before hooks could check them. */
  readonly releasesPreliminary: boolean
}

/**
 * One tool with hooks: checked before it runs, and its output checked before the program or the model sees
 * it.
 */
export function guardTool(name: string, tool: AnyTool, guard: ToolGuard): AnyTool {
  const { context, told, ask } = guard
  const { onInputAvailable, needsApproval, begin } = createToolGate(name, tool, context, ask)
  const own = tool.execute
  if (own === undefined) return changed(tool, { onInputAvailable, needsApproval })

  const whole: Execute = async (input: unknown, options: ExecuteOptions) => {
    const begun = await begin(input, options)
    let output: unknown
    try {
      output = await lastValue(own.call(tool, begun.call.input, options))
    } catch (error) {
      throw await failureOf(context, begun, error)
    }
    return await releaseOutput(context, told, begun, output)
  }
  const streamed = async function* (input: unknown, options: ExecuteOptions) {
    const begun = await begin(input, options)
    let last: unknown
    try {
      for await (last of own.call(tool, begun.call.input, options) as AsyncIterable<unknown>) yield last
    } catch (error) {
      throw await failureOf(context, begun, error)
    }
    const output = await releaseOutput(context, told, begun, last)
    if (!Object.is(output, last)) yield output
  }
  const streams = guard.releasesPreliminary && own.constructor.name === 'AsyncGeneratorFunction'
  return changed(tool, {
    onInputAvailable,
    needsApproval,
    execute: streams ? streamed : whole,
    toModelOutput: told.telling(tool.toModelOutput?.bind(tool)),
  })
}

/** A copy with other parts. A tool may be an object of a class: what it inherits stays. */
function changed(tool: AnyTool, parts: object): AnyTool {
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, parts) as AnyTool
}
