import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/** The values that an option accepts, and how messages describe them. */
export interface Accepted {
  readonly words: string
  is(value: Json): boolean
}

/**
 * Reports options that have no effect, one sentence each: names that the pack does not know, and values that it
 * cannot use. Otherwise a rule could look active although it is not.
 */
export function optionComplaints(
  options: JsonObject,
  known: Readonly<Record<string, Accepted>>,
): readonly string[] {
  return Object.entries(options).flatMap(([key, value]): readonly string[] => {
    const accepted = Object.hasOwn(known, key) ? known[key] : undefined
    if (accepted === undefined) {
      return [`There is no option \`${key.slice(0, 60)}\`. Options: ${Object.keys(known).join(', ')}.`]
    }
    if (value === null || accepted.is(value)) return []
    return [`The option \`${key}\` must be ${accepted.words}. The default is used.`]
  })
}

/** Any value: it is checked elsewhere. */
export const ANYTHING: Accepted = { words: 'a value', is: () => true }

export const YES_OR_NO: Accepted = { words: '`true` or `false`', is: (value) => typeof value === 'boolean' }

export const TEXTS: Accepted = { words: 'a list of strings', is: isTexts }

export function acceptOneOf(...words: readonly string[]): Accepted {
  return {
    words: words.map((word) => `\`${word}\``).join(' or '),
    is: (value) => typeof value === 'string' && words.includes(value),
  }
}

/** `false`, sometimes `true`, or a mapping with only these keys. */
export function acceptMapping(
  keys: Readonly<Record<string, (value: Json) => boolean>>,
  ...also: readonly boolean[]
): Accepted {
  const alone = also.map((value) => `\`${value}\` or `).join('')
  return {
    words: `${alone}a mapping of ${Object.keys(keys).join(', ')}`,
    is: (value) =>
      isObject(value)
        ? Object.entries(value).every(([key, each]) => Object.hasOwn(keys, key) && keys[key]?.(each) === true)
        : also.some((each) => each === value),
  }
}

function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each.trim() !== '')
}

export function isPositive(value: Json): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
