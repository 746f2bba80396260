import { isObject, type Json, type JsonObject } from './json.ts'
import { suggest } from './suggest.ts'

/**
 * One option of a pack, as data: the part of JSON Schema that editors understand, so that the same text checks a
 * configuration, completes it in an editor, and gives `check` its types. `title` says what is accepted, for messages.
 */
export type OptionSchema = (
  | TextSchema
  | {
      readonly type: 'number' | 'integer'
      readonly minimum?: number
      readonly exclusiveMinimum?: number
      readonly maximum?: number
      readonly default?: number
    }
  | { readonly type: 'boolean'; readonly enum?: readonly boolean[]; readonly default?: boolean }
  | { readonly type: 'array'; readonly items: TextSchema; readonly default?: readonly string[] }
  /** A mapping with only these keys. */
  | { readonly type: 'object'; readonly properties: PackOptions; readonly default?: JsonObject }
  | { readonly anyOf: readonly OptionSchema[]; readonly default?: Json }
) & {
  readonly title?: string
  readonly description?: string
  /** What a wrong value counts as, where the default would be weaker. */
  readonly ifWrong?: Json
}

interface TextSchema {
  readonly type: 'string'
  readonly enum?: readonly string[]
  /** A regular expression of the whole text: `^…$`. */
  readonly pattern?: string
  readonly default?: string
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

type ValueOf<Option extends OptionSchema> = Option extends { readonly enum: readonly (infer Word)[] }
  ? Word
  : Option extends { readonly type: 'array'; readonly items: { readonly enum: readonly (infer Word)[] } }
    ? readonly Word[]
    : Option extends { readonly properties: infer Keys extends PackOptions }
      ? { readonly [Name in keyof Keys]?: ValueOf<Keys[Name]> }
      : Option extends { readonly anyOf: readonly (infer Each extends OptionSchema)[] }
        ? ValueOf<Each>
        : Option extends { readonly type: infer Type extends keyof Values }
          ? Values[Type]
          : never

interface Values {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly array: readonly string[]
}

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

/**
 * The options that can be used, with their types: a wrong or empty one counts as missing, and defaults are filled in.
 *
 * @example
 * usableOptions({ limit: 3, hots: [] }, { limit: { type: 'integer' }, strict: { type: 'boolean', default: true } })
 * // { limit: 3, strict: true }
 */
export function usableOptions<const Known extends PackOptions>(
  given: JsonObject,
  known: Known,
): OptionsOf<Known> {
  return withDefaults(usablePart(given, known), known) as OptionsOf<Known>
}

/** The options that can be used. Of a list or a mapping, the usable parts: a mistake in one must not drop the others. */
export function usablePart(given: JsonObject, known: PackOptions): JsonObject {
  const parts = Object.entries(given).flatMap(([name, value]): [string, Json][] => {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined
    const part =
      schema === undefined || value === null ? undefined : (partOf(value, schema) ?? schema.ifWrong)
    return part === undefined ? [] : [[name, part]]
  })
  return Object.fromEntries(parts)
}

function partOf(value: Json, schema: OptionSchema): Json | undefined {
  if (isValue(value, schema)) return value
  if ('anyOf' in schema) {
    return schema.anyOf.map((each) => partOf(value, each)).find((part) => part !== undefined)
  }
  if (schema.type === 'array' && Array.isArray(value)) {
    const texts = value.filter((each: Json) => isText(each, schema.items))
    return texts.length === 0 ? undefined : texts
  }
  if (schema.type !== 'object' || !isObject(value)) return undefined
  const part = usablePart(value, schema.properties)
  return Object.keys(part).length === 0 ? undefined : part
}

/** The schema of one option for editors: a mapping may have no other keys. */
export function editorSchema(schema: OptionSchema): JsonObject {
  const { title: _words, ifWrong: _ifWrong, ...rest } = schema as unknown as JsonObject
  if ('anyOf' in schema) return { ...rest, anyOf: schema.anyOf.map(editorSchema) }
  if (schema.type !== 'object') return rest
  const properties = Object.entries(schema.properties).map(([name, each]) => [name, editorSchema(each)])
  return { ...rest, properties: Object.fromEntries(properties), additionalProperties: false }
}

/** What is wrong with the schema itself, as the end of a sentence. */
export function schemaMistake(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return 'is not a mapping'
  for (const [name, schema] of Object.entries(options as Record<string, unknown>)) {
    if (TAKEN.includes(name)) return `has \`${name}\`, which belongs to Holdpoint`
    const mistake = mistakeInOption(schema as OptionParts | null, 0)
    if (mistake !== undefined) return `has \`${name}\`${mistake}`
  }
  return undefined
}

/** A schema that no compiler has checked. */
interface OptionParts {
  readonly type?: unknown
  readonly pattern?: unknown
  readonly items?: OptionParts
  readonly properties?: unknown
  readonly anyOf?: unknown
  readonly default?: Json
}

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object']
const DEPTH_MAX = 4

/** Continues "has `name`". */
function mistakeInOption(schema: OptionParts | null, depth: number): string | undefined {
  const { type, anyOf, items, properties, pattern, default: value } = schema ?? {}
  if (depth > DEPTH_MAX) return ', which is nested too deeply'
  if (anyOf === undefined && !TYPES.includes(type))
    return ` without a known \`type\`: string, number, integer, boolean, array or object`
  if (anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.length > 0)) return ' with an empty `anyOf`'
  if (type === 'array' && items?.type !== 'string') return ', a list whose `items` are not texts'
  if (type === 'object' && schemaMistake(properties) !== undefined)
    return `, a mapping whose \`properties\` ${schemaMistake(properties)}`
  if (!isRegex(pattern) || !isRegex(items?.pattern))
    return ' with a `pattern` that is not a regular expression'
  const inner = Array.isArray(anyOf) ? (anyOf as readonly (OptionParts | null)[]) : []
  const wrong = inner.map((each) => mistakeInOption(each, depth + 1)).find((each) => each !== undefined)
  if (wrong !== undefined) return wrong
  if (value !== undefined && !isValue(value, schema as OptionSchema))
    return ' with a `default` that it does not accept'
  return undefined
}

function isRegex(pattern: unknown): boolean {
  if (pattern === undefined) return true
  if (typeof pattern !== 'string') return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** Keys of a pack in a configuration that are not its own options. */
const TAKEN: readonly string[] = ['level', 'guards', 'from', 'undoable', 'holdpoint']

function isValue(value: Json, schema: OptionSchema): boolean {
  if ('anyOf' in schema) return schema.anyOf.some((each) => isValue(value, each))
  switch (schema.type) {
    case 'string':
      return isText(value, schema)
    case 'number':
    case 'integer':
      return (
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (schema.type === 'number' || Number.isInteger(value)) &&
        value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
        value > (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
      )
    case 'boolean':
      return typeof value === 'boolean' && (schema.enum?.includes(value) ?? true)
    case 'array':
      return Array.isArray(value) && value.every((each) => isText(each, schema.items))
    case 'object':
      return isObject(value) && optionMistakes(value, schema.properties).length === 0
  }
}

function isText(value: Json, { enum: words, pattern }: TextSchema): boolean {
  if (typeof value !== 'string' || words?.includes(value) === false) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}

function wordsFor(schema: OptionSchema): string {
  if (schema.title !== undefined) return schema.title
  if ('anyOf' in schema) return schema.anyOf.map(wordsFor).join(' or ')
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined ? 'a text' : listed(schema.enum)
    case 'number':
    case 'integer':
      return numberWords(schema)
    case 'boolean':
      return listed((schema.enum ?? [true, false]).map(String))
    case 'array':
      return schema.items.enum === undefined ? 'a list of texts' : `a list of ${listed(schema.items.enum)}`
    case 'object':
      return `a mapping of ${Object.keys(schema.properties).join(', ')}`
  }
}

function numberWords({
  type,
  minimum,
  exclusiveMinimum,
  maximum,
}: Extract<OptionSchema, { readonly type: 'number' | 'integer' }>): string {
  const from = minimum === undefined ? '' : ` of at least ${minimum}`
  const above = exclusiveMinimum === undefined ? '' : ` above ${exclusiveMinimum}`
  const to = maximum === undefined ? '' : ` of at most ${maximum}`
  const limits = [from, above, to].filter((words) => words !== '').join(' and')
  return `a ${type === 'integer' ? 'whole number' : 'number'}${limits}`
}

function listed(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(' or ')
}
