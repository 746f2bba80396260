import { generateText, stepCountIs, type ToolSet } from 'ai'
import { z } from 'zod'
import { defineHook, type HookDefinition } from '../../src/core/define-hook.ts'
import type { RegisterOptions } from '../../src/library/registration.ts'
import { createRuntime, type Runtime } from '../../src/library/runtime.ts'
import { scriptedModel, toldIn } from './scripted-model.ts'

/** The start of tests with guarded tools: a runtime with hooks, and a run of one call. */

type Arrange = (runtime: Runtime) => void

export function runtimeWith(...arrange: readonly Arrange[]): Runtime {
  const runtime = createRuntime({ session: 'test' })
  for (const each of arrange) each(runtime)
  return runtime
}

type Run<Kind extends 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'> = HookDefinition<Kind>['run']

export function onPre(run: Run<'PreToolUse'>, options?: RegisterOptions): Arrange {
  return (runtime) => void runtime.register(defineHook({ on: 'PreToolUse', run }), options)
}

export function onPost(run: Run<'PostToolUse'>): Arrange {
  return (runtime) => void runtime.register(defineHook({ on: 'PostToolUse', run }))
}

export function onFailed(run: Run<'PostToolUseFailure'>): Arrange {
  return (runtime) => void runtime.register(defineHook({ on: 'PostToolUseFailure', run }))
}

export const text = z.object({ text: z.string() })

/** Options of a call outside of any run. */
export const ALONE = { toolCallId: 'alone', messages: [] }

/** Runs one call, and returns what the model got from it. */
export async function callOnce(tools: ToolSet, name: string, input: unknown = { text: 'a' }) {
  const { model, prompts } = scriptedModel([{ calls: [{ tool: name, input }] }])
  const result = await generateText({ model, tools, prompt: 'Begin.', stopWhen: stepCountIs(3) })
  const told = prompts().slice(1).flatMap(toldIn)
  return { result, told: told.map((each) => each.text).join('\n') }
}

export function cycle(): object {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  return loop
}
