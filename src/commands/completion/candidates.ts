import type { Argument, Command, Option } from 'commander'
import { type Position, positionOf } from './position.ts'

export interface CompletionItem {
  readonly value: string
  readonly description: string
}

/** What can be completed at a position: words, or paths that the shell finds itself. */
export interface CompletionAnswer {
  readonly candidates: readonly CompletionItem[]
  readonly paths?: 'files' | 'folders'
}

/**
 * The values for a position. `keys` go from the most specific to the most general, such as `--host` and
 * `host`; `typed` is the unfinished word. Undefined if any text is possible.
 */
export type Values = (keys: readonly string[], word: string) => Promise<CompletionAnswer | undefined>

/** What may follow these words; the last one is unfinished. Everything is read from the tree of commands. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  valuesOf: Values,
): Promise<CompletionAnswer> {
  const position = positionOf(program, words)
  const { candidates, paths } = await everything(position, valuesOf)
  const { word, prefix } = position
  return {
    candidates: candidates
      .filter(({ value }) => value.startsWith(word))
      .map(({ value, description }) => ({ value: `${prefix}${value}`, description })),
    ...(paths === undefined ? {} : { paths }),
  }
}

const NOTHING: CompletionAnswer = { candidates: [] }

async function everything(position: Position, valuesOf: Values): Promise<CompletionAnswer> {
  const { command, option, argument, word, takesCommands, takesOptions } = position
  if (option !== undefined) {
    return choicesOf(option) ?? (await valuesOf([option.long ?? '', placeholderOf(option)], word)) ?? NOTHING
  }
  if (takesOptions && word.startsWith('-')) return { candidates: optionsOf(position) }
  const commands = takesCommands ? commandsOf(command) : []
  const values =
    argument === undefined
      ? NOTHING
      : (choicesOf(argument) ??
        (await valuesOf([`${command.name()} ${argument.name()}`, argument.name()], word)) ??
        NOTHING)
  const candidates = [...commands, ...values.candidates]
  const isOpen = takesOptions && word === '' && argument === undefined && candidates.length === 0
  return { ...values, candidates: isOpen ? optionsOf(position) : candidates }
}

function choicesOf({ argChoices }: Option | Argument): CompletionAnswer | undefined {
  return argChoices && { candidates: argChoices.map((value) => ({ value, description: '' })) }
}

/** `host` of `--host <host>`. */
export function placeholderOf({ flags }: Option): string {
  return /[<[]([^\]>.]+)/.exec(flags)?.[1] ?? ''
}

function commandsOf(command: Command): CompletionItem[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }))
}

function optionsOf({ command, used }: Position): CompletionItem[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter((option) => !used.has(option) || isRepeatable(option))
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', description }))
}

/** Options that collect their values have their own parser; the parser of choices only checks. */
function isRepeatable({ variadic, parseArg, argChoices }: Option): boolean {
  return variadic || (parseArg !== undefined && argChoices === undefined)
}
