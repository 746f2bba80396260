import { HoldpointError } from '../errors.ts'
import { ALLOWED, type HookResult as Fields, type GivenResult, readHookResult } from './result-fields.ts'

export type HookResult = Fields

/** Makes results, and moves them in and out of JSON. They are plain objects: any JSON parser reads them. */
export const HookResult = {
  allow({
    inject = null,
    ...more
  }: Pick<GivenResult, 'updated_input' | 'inject' | 'hook_errors'> = {}): HookResult {
    return { ...ALLOWED, ...more, inject: inject === null ? null : { strategy: 'tool_result', ...inject } }
  },

  deny(reason: string): HookResult {
    return { ...ALLOWED, allowed: false, decision: 'deny', reason }
  },

  /** The call waits for a person; `allowed` stays true, as MassGen has it. */
  ask(reason: string): HookResult {
    return { ...ALLOWED, decision: 'ask', reason }
  },

  /** From whatever a hook may return. Throws what is wrong with it. */
  from(returned: unknown): HookResult {
    const read = readHookResult(returned)
    if (!read.ok) throw new HoldpointError(read.problem)
    return read.value
  },

  parse(json: string): HookResult {
    return HookResult.from(JSON.parse(json))
  },

  stringify(result: HookResult): string {
    return JSON.stringify(result)
  },
}
