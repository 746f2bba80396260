import { HoldpointError } from '../../core/errors.ts'
import { ALLOWED, type MassGenResult as Fields, type GivenResult } from '../../core/formats/massgen-result.ts'
import { readHookResult } from './read-result.ts'

export type HookResult = Fields

/**
 * Creates results, and converts them to and from JSON. They are plain objects that any JSON parser can read.
 */
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

  /** The call waits for the user; `allowed` stays true, as in MassGen. */
  ask(reason: string): HookResult {
    return { ...ALLOWED, decision: 'ask', reason }
  },

  /** From anything a hook may return. Throws if it is not valid. */
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
