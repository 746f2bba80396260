import { HoldpointError } from '../../core/errors.ts'

/** The error for an invalid hook or option, thrown when it is registered, not at the first call. */
export function invalidHook(key: string, message: string): HoldpointError {
  return new HoldpointError({ code: 'HOOK_INVALID', message, key })
}

export function mustBeFunction(key: string, value: unknown): void {
  if (typeof value !== 'function')
    throw invalidHook(key, `This must be a function; it is ${valueKind(value)}.`)
}

export function mustBeSeconds(key: string, value: unknown): void {
  if (typeof value !== 'number' || !(value >= 0)) throw invalidHook(key, 'This must be a number of seconds.')
}

export function valueKind(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
