import type { ToolSet } from 'ai'
import type { Ask } from '../question.ts'
import { createGate } from './gate.ts'
import type { Desk } from './judge-call.ts'
import { failureOf, lastOf, releaseOutput } from './release-output.ts'
import type { ToldTexts } from './tell-model.ts'

type AnyTool = ToolSet[string]
type Execute = NonNullable<AnyTool['execute']>
type ExecuteOptions = Parameters<Execute>[1]

export interface ToolGuard {
  readonly desk: Desk
  readonly told: ToldTexts
  readonly ask?: Ask
  /** What a streaming tool yields on its way reaches the program before anybody judged it. */
  readonly releasesPreliminary: boolean
}

/** One tool behind the hooks: a gate before it runs, and its output judged before anybody sees it. */
export function guardTool(name: string, tool: AnyTool, guard: ToolGuard): AnyTool {
  const { desk, told, ask } = guard
  const { onInputAvailable, needsApproval, begin } = createGate(name, tool, desk, ask)
  const own = tool.execute
  if (own === undefined) return changed(tool, { onInputAvailable, needsApproval })

  const whole: Execute = async (input: unknown, options: ExecuteOptions) => {
    const begun = await begin(input, options)
    let output: unknown
    try {
      output = await lastOf(own.call(tool, begun.call.input, options))
    } catch (error) {
      throw await failureOf(desk, begun, error)
    }
    return await releaseOutput(desk, told, begun, output)
  }
  const streamed = async function* (input: unknown, options: ExecuteOptions) {
    const begun = await begin(input, options)
    let last: unknown
    try {
      for await (last of own.call(tool, begun.call.input, options) as AsyncIterable<unknown>) yield last
    } catch (error) {
      throw await failureOf(desk, begun, error)
    }
    const output = await releaseOutput(desk, told, begun, last)
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

/** A copy with other parts. A tool may be of a class: what it inherits stays. */
function changed(tool: AnyTool, parts: object): AnyTool {
  return Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, parts) as AnyTool
}
