import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { mayMatch } from '../words/patterns.ts'
import { exactForm, exactText, exactTexts, isWhollyUnknown, type Word } from '../words/words.ts'
import { listedWords } from './listed-words.ts'
import { lists, type OptionText, type ReadOptions, readOptions, valuesOf } from './options.ts'

/**
 * Programs that are told what to do by verbs: `docker --context x volume rm data`. A table says which verbs do what;
 * this reads options wherever they stand, and says `maybe` where a word that decides is not known.
 */
export interface VerbProgram {
  /** Above all the options that take a value: a value must not be taken for a verb. */
  readonly options: OptionText
  /** The options behind a verb, where a letter means something else there; `*` for all other verbs. */
  readonly verbOptions?: Readonly<Record<string, OptionText>>
  /** Words, as in the three lists below: behind these verbs options end at the first word that is none: the rest is another program's. */
  readonly wrapping?: string
  /** Verbs that are programs of their own: `docker compose`. */
  readonly nested?: Readonly<Record<string, VerbProgram>>
  /** `-name` is one option, not a bundle of letters. */
  readonly singleDash?: boolean
  /** With one of these nothing is done. */
  readonly inert?: string
  /** Options that only show what would be done, unless their value says no. */
  readonly dryRun?: string
  /** Verbs that stand in no rule. They tell an unknown word before them (`docker $FLAGS ps`) from a verb. */
  readonly harmless?: string
  /** The first that holds counts, so the worst stand first. */
  readonly rules: readonly VerbRule[]
}

/** `volume rm|remove`: the verbs in their order, `*` for any word; empty for every call. */
export type VerbRule = readonly [verbs: string, does: ActEffect, where?: VerbCondition]

/** Names of options stand in one text: `force yes`. All that is said must hold. */
export interface VerbCondition {
  /** One of the options is given, or may be. */
  readonly given?: string
  /** One of the options is given for certain. */
  readonly surely?: string
  /** None of the options is given for certain. */
  readonly unless?: string
  /** One of the options has a value that fits. */
  readonly value?: readonly [RegExp, ...names: string[]]
  /** Some word behind the verbs fits. */
  readonly word?: RegExp
  readonly when?: (call: VerbCall) => Certainty
}

export interface VerbCall {
  readonly read: ReadOptions
  /** What stands behind the verbs. */
  readonly rest: readonly Word[]
  readonly command: SimpleCommand
}

export type Certainty = 'yes' | 'maybe' | 'no'

/** What the call would do: at most one certain act, and one that cannot be ruled out if it is worse. */
export function verbEffects(command: SimpleCommand, program: VerbProgram): readonly ActEffect[] {
  const args = program.singleDash === true ? command.args.map(withTwoDashes) : command.args
  const call = readCall({ ...command, args }, program, false)
  if (isInert(call.read, program)) return []
  const effects = callEffects(call, program)
  if (effects.length > 0 || call.read.options.every((option) => option.listed)) return effects
  return callEffects(readCall({ ...command, args }, program, true), program)
}

function callEffects(call: VerbCall, program: VerbProgram): readonly ActEffect[] {
  const inner = ownValue(program.nested, exactText(call.rest[0]))
  return inner === undefined ? ruled(call, program) : verbEffects(call.command, inner)
}

/** `skip`: an option that no table lists takes the word behind it. One that is not known is taken either way. */
function readCall(command: SimpleCommand, program: VerbProgram, skip: boolean): VerbCall {
  const before = readBefore(command.args, program.options, skip)
  const [verb, ...after] = withoutFlags(before.operands, program)
  if (verb === undefined) return { read: before, rest: [], command: { ...command, args: [] } }
  const tables = program.verbOptions
  const table = ownValue(tables, exactText(verb)) ?? ownValue(tables, '*') ?? program.options
  const wraps = includes(program.wrapping, exactText(verb))
  const behind = wraps ? readBefore(after, table, skip) : readBehind(after, table, skip)
  const both = {
    options: [...before.options, ...behind.options],
    operands: [verb, ...behind.operands],
    doubtful: [...before.doubtful, ...behind.doubtful],
    operandsAt: 0,
  }
  return { read: both, rest: both.operands, command: { ...command, args: after } }
}

function readBefore(args: readonly Word[], table: OptionText, skip: boolean): ReadOptions {
  const read = readOptions(args, table, { stopAtOperand: true })
  const at = read.operandsAt
  if (!isValue(args, at, table, skip)) return read
  return readBefore([...args.slice(0, at - 1), ...args.slice(at + 1)], table, skip)
}

function readBehind(args: readonly Word[], table: OptionText, skip: boolean): ReadOptions {
  return readOptions(
    args.filter((_word, at) => !isValue(args, at, table, skip)),
    table,
  )
}

/** The value of an option that no table lists, as far as that can be told. */
function isValue(args: readonly Word[], at: number, table: OptionText, skip: boolean): boolean {
  const before = exactText(args[at - 1])
  if (args[at] === undefined || before === undefined || !/^--?[a-zA-Z][^=]*$/.test(before)) return false
  const text = exactText(args[at])
  if (text === undefined ? mayBeOptions(args[at]) : !skip || text.startsWith('-')) return false
  const name = before.replace(/^--?/, '')
  return !lists(table, before.startsWith('--') ? name : name.slice(-1))
}

function ruled(call: VerbCall, program: VerbProgram): readonly ActEffect[] {
  let doubt: ActEffect | undefined
  for (const [verbs, does, where] of program.rules) {
    const words = listedWords(verbs)
    const spoken = startsWith(call.rest, words)
    if (spoken === 'no') continue
    const holds =
      where === undefined
        ? spoken
        : weakerOf(spoken, conditionOf(where, { ...call, rest: call.rest.slice(words.length) }))
    if (holds === 'yes') return doubt === undefined ? [does] : [doubt, does]
    if (holds === 'maybe') doubt ??= { ...does, unsure: 'what it does is known only at run time' }
  }
  return doubt === undefined ? [] : [doubt]
}

function conditionOf({ given, surely, unless, value, word, when }: VerbCondition, call: VerbCall): Certainty {
  const isOn = (names: string): Certainty => isGiven(call.read, ...listedWords(names))
  let holds: Certainty = 'yes'
  if (given !== undefined) holds = isOn(given)
  if (surely !== undefined && isOn(surely) !== 'yes') holds = 'no'
  if (unless !== undefined && isOn(unless) === 'yes') holds = 'no'
  if (value !== undefined) holds = weakerOf(holds, valueIs(call.read, ...value))
  if (word !== undefined) holds = weakerOf(holds, someWord(call.rest, word))
  return when === undefined ? holds : weakerOf(holds, when(call))
}

/** Does one of the words fit, in one of the texts it may be? */
export function someWord(words: readonly Word[], pattern: RegExp): Certainty {
  return certainly(words.some((word) => exactTexts(word).some((text) => pattern.test(text))))
}

function startsWith(words: readonly Word[], verbs: readonly string[]): Certainty {
  let result: Certainty = 'yes'
  for (const [index, verb] of verbs.entries()) {
    const word = words[index]
    const spoken = word === undefined ? 'no' : verb === '*' ? 'yes' : wordIs(word, verb.split('|'))
    if (spoken === 'no') return 'no'
    result = weakerOf(result, spoken)
    // One unknown word without quotes may be all of the verbs.
    if (word?.splits === true && word.forms.some(isWhollyUnknown)) return 'maybe'
  }
  return result
}

/** Is the word one of these texts? A text it may have is taken as seriously as the only one. */
export function wordIs(word: Word | undefined, texts: readonly string[]): Certainty {
  if (word === undefined) return 'no'
  let result: Certainty = 'no'
  for (const form of word.forms) {
    const text = exactForm(form)
    if (text !== undefined && texts.includes(text)) return 'yes'
    if (text === undefined && texts.some((each) => mayMatch(form, each))) result = 'maybe'
  }
  return result
}

/** Is the option given? `--force=false` is not; an unknown word without quotes may be it. */
export function isGiven(read: ReadOptions, ...names: readonly string[]): Certainty {
  const last = read.options.findLast(({ name }) =>
    names.some((each) => name === each || name === `no-${each}`),
  )
  if (last !== undefined) {
    if (!names.includes(last.name)) return 'no'
    if (last.value === undefined) return 'yes'
    return no(exactText(last.value)) ? 'no' : exactText(last.value) === undefined ? 'maybe' : 'yes'
  }
  return read.doubtful.some(mayBeOptions) ? 'maybe' : 'no'
}

/** `$FLAGS` without quotes. What another command prints is mostly names. */
function mayBeOptions(word: Word): boolean {
  return word.forms.some((form) => {
    const [first, next] = form
    if (/^--?$/.test(first?.text ?? '')) return next?.kind === 'unknown'
    return word.splits && isWhollyUnknown(form) && /^\$[\w{@*]/.test(first?.text ?? '')
  })
}

/** Is the option given with a value that fits? */
export function valueIs(read: ReadOptions, pattern: RegExp, ...names: readonly string[]): Certainty {
  let result: Certainty = 'no'
  for (const word of valuesOf(read, ...names)) {
    // Some readers take the sign with a letter too: `-X=DELETE`.
    if (exactTexts(word).some((text) => pattern.test(text.replace(/^=/, '')))) return 'yes'
    if (exactText(word) === undefined) result = 'maybe'
  }
  return result
}

export function weakerOf(left: Certainty, right: Certainty): Certainty {
  if (left === 'no' || right === 'no') return 'no'
  return left === 'maybe' || right === 'maybe' ? 'maybe' : 'yes'
}

export function strongerOf(...all: readonly Certainty[]): Certainty {
  return all.includes('yes') ? 'yes' : all.includes('maybe') ? 'maybe' : 'no'
}

export function certainly(holds: boolean): Certainty {
  return holds ? 'yes' : 'no'
}

/** The words come from outside: only the table's own entries count. */
function ownValue<T>(table: Readonly<Record<string, T>> | undefined, key: string | undefined): T | undefined {
  return table !== undefined && key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}

function isInert(read: ReadOptions, { inert = 'help', dryRun }: VerbProgram): boolean {
  if (read.options.length === 0) return false
  if (read.options.some((option) => includes(inert, option.name))) return true
  return dryRun !== undefined && isGiven({ ...read, doubtful: [] }, ...listedWords(dryRun)) === 'yes'
}

function includes(words: string | undefined, word: string | undefined): boolean {
  return words !== undefined && word !== undefined && listedWords(words).includes(word)
}

function no(text: string | undefined): boolean {
  return text !== undefined && /^(none|false|0|no|off)$/i.test(text)
}

function withTwoDashes(word: Word): Word {
  const forms = word.forms.map((form) => {
    const [first, ...rest] = form
    if (first?.kind !== 'text' || !/^-[a-zA-Z][^=]/.test(first.text)) return form
    return [{ ...first, text: `-${first.text}` }, ...rest]
  })
  return { ...word, forms }
}

function withoutFlags(words: readonly Word[], program: VerbProgram): readonly Word[] {
  const { rules, harmless = '', nested = {} } = program
  const first = words.findIndex((word) => !(word.splits && word.forms.every(isWhollyUnknown)))
  if (first <= 0) return words
  const verbs = [
    ...listedWords(harmless),
    ...Object.keys(nested),
    ...rules.flatMap(([verbs]) => verbs.split(' ')[0]?.split('|') ?? []),
  ]
  return wordIs(words[first], verbs) === 'yes' ? words.slice(first) : words
}
