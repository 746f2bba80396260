import type { Json, JsonObject } from '../json.ts'

export type OptionReader = <T>(
  key: string,
  otherwise: T,
  accepted: string,
  as: (value: Json) => T | undefined,
) => T

/** Reads a pack's options one by one; what is none of what is accepted is complained of, and the default holds. */
export function optionReader(options: JsonObject, problems: string[]): OptionReader {
  return (key, otherwise, accepted, as) => {
    const value = options[key]
    if (value === undefined || value === null) return otherwise
    const used = as(value)
    if (used === undefined) problems.push(`The option \`${key}\` must be ${accepted}; the default holds.`)
    return used ?? otherwise
  }
}
