import type { Json, JsonObject } from './json.ts'
import { suggest } from './suggest.ts'

/**
 * One option of a pack, as data: the part of JSON Schema that editors understand, so that the same text checks a
 * configuration, completes it in an editor, and gives `check` its types.
 */
export type OptionSchema =
  | {
      readonly type: 'string'
      readonly enum?: readonly string[]
      readonly default?: string
      readonly description?: string
    }
  | {
      readonly type: 'number'
      readonly minimum?: number
      readonly maximum?: number
      readonly default?: number
      readonly description?: string
    }
  | { readonly type: 'boolean'; readonly default?: boolean; readonly description?: string }
  | {
      readonly type: 'array'
      readonly items: { readonly type: 'string'; readonly enum?: readonly string[] }
      readonly default?: readonly string[]
      readonly description?: string
    }

/** The options of a pack, by name. */
export type PackOptions = { readonly [name: string]: OptionSchema }

/**
 * What `check` gets: an option with a default is always there.
 *
 * @example
 * type Options = OptionsOf<{ hosts: { type: 'array'; items: { type: 'string' }; default: [] } }>
 * // { readonly hosts: readonly string[] }
 */
export type OptionsOf<Options extends PackOptions> = {
  readonly [Name in keyof Options]:
    | ValueOf<Options[Name]>
    | (Options[Name] extends { readonly default: unknown } ? never : undefined)
}

type ValueOf<Option extends OptionSchema> = Option extends {
  readonly type: 'string'
  readonly enum: readonly (infer Word)[]
}
  ? Word
  : Option extends { readonly type: 'array'; readonly items: { readonly enum: readonly (infer Word)[] } }
    ? readonly Word[]
    : {
        string: string
        number: number
        boolean: boolean
        array: readonly string[]
      }[Option['type']]

/** An option that the pack does not know, or a value that it cannot use. */
export interface OptionMistake {
  readonly option: string
  /** A sentence. */
  readonly message: string
}

/** The mistakes in given options. They are checked once, when the plan is made. */
export function optionMistakes(given: JsonObject, known: PackOptions): readonly OptionMistake[] {
  return Object.entries(given).flatMap(([option, value]): readonly OptionMistake[] => {
    const schema = Object.hasOwn(known, option) ? known[option] : undefined
    const named = option.slice(0, NAME_MAX_CHARACTERS)
    if (schema === undefined) {
      const names = Object.keys(known)
      const list = names.length === 0 ? 'It has no options.' : `Options: ${names.join(', ')}.`
      const meant = suggest(option, names)
      const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
      return [{ option, message: `There is no option \`${named}\`.${hint} ${list}` }]
    }
    return isValue(value, schema)
      ? []
      : [{ option, message: `The option \`${named}\` must be ${wordsFor(schema)}.` }]
  })
}

const NAME_MAX_CHARACTERS = 60

/** The given options, and the defaults of those that are missing. */
export function withDefaults(given: JsonObject, known: PackOptions): JsonObject {
  const defaults = Object.entries(known).flatMap(([name, { default: value }]): [string, Json][] =>
    value === undefined ? [] : [[name, value]],
  )
  return { ...Object.fromEntries(defaults), ...given }
}

/** What is wrong with the schema itself, as the end of a sentence. */
export function schemaMistake(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return 'is not a mapping'
  for (const [name, schema] of Object.entries(options as Record<string, Partial<OptionSchema> | null>)) {
    if (TAKEN.includes(name)) return `has \`${name}\`, which belongs to Holdpoint`
    const type = schema?.type
    if (type !== 'string' && type !== 'number' && type !== 'boolean' && type !== 'array')
      return `has \`${name}\` without a known \`type\`: string, number, boolean or array`
    if (type === 'array' && (schema as { items?: { type?: unknown } }).items?.type !== 'string')
      return `has \`${name}\`, a list whose \`items\` are not texts`
    if (schema?.default !== undefined && !isValue(schema.default, schema as OptionSchema))
      return `has \`${name}\` with a \`default\` that it does not accept`
  }
  return undefined
}

/** Keys of a pack in a configuration that are not its own options. */
const TAKEN: readonly string[] = ['level', 'guards', 'from', 'undoable', 'holdpoint']

function isValue(value: Json, schema: OptionSchema): boolean {
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && (schema.enum === undefined || schema.enum.includes(value))
    case 'number':
      return (
        typeof value === 'number' &&
        value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
      )
    case 'boolean':
      return typeof value === 'boolean'
    case 'array': {
      const { enum: words } = schema.items
      return (
        Array.isArray(value) &&
        value.every((each) => typeof each === 'string' && (words === undefined || words.includes(each)))
      )
    }
  }
}

function wordsFor(schema: OptionSchema): string {
  const listed = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(' or ')
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined ? 'a text' : listed(schema.enum)
    case 'number': {
      const { minimum, maximum } = schema
      const from = minimum === undefined ? '' : ` of at least ${minimum}`
      const to = maximum === undefined ? '' : ` of at most ${maximum}`
      return `a number${from}${from !== '' && to !== '' ? ' and' : ''}${to}`
    }
    case 'boolean':
      return '`true` or `false`'
    case 'array':
      return schema.items.enum === undefined ? 'a list of texts' : `a list of ${listed(schema.items.enum)}`
  }
}
