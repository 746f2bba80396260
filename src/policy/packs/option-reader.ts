import type { Json, JsonObject } from '../../core/json.ts'

export type OptionReader = <T>(
  key: string,
  otherwise: T,
  accepted: string,
  as: (value: Json) => T | undefined,
) => T

/** Reads the options of a pack one by one. A value that is not accepted is reported, and the default is used. */
export function optionReader(options: JsonObject, problems: string[]): OptionReader {
  return (key, otherwise, accepted, as) => {
    const value = options[key]
    if (value === undefined || value === null) return otherwise
    const used = as(value)
    if (used === undefined) problems.push(`The option \`${key}\` must be ${accepted}. The default is used.`)
    return used ?? otherwise
  }
}
