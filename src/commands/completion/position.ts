import type { Argument, Command, Option } from 'commander'

/** The position of the cursor: what the unfinished word can be. */
export interface Position {
  readonly command: Command
  /** The unfinished word, without `prefix`. */
  readonly word: string
  /** `--host=` in `--host=cl`: part of the word, but not of the value. */
  readonly prefix: string
  /** The option that this word is a value of. */
  readonly option?: Option
  /** The argument that this word would be. */
  readonly argument?: Argument
  readonly takesCommands: boolean
  readonly takesOptions: boolean
  /** Options of this command that were given before. */
  readonly used: ReadonlySet<Option>
}

/** Reads the words as commander would, up to the last one. */
export function positionOf(program: Command, words: readonly string[]): Position {
  const last = words.at(-1) ?? ''
  const state = words.slice(0, -1).reduce(step, start(program))
  const { command, used, operands, open, isEnded, isHelp } = state
  const [, name = '', value] = /^(--[^=]+)=(.*)$/s.exec(last) ?? []
  const assigned = value === undefined || isEnded ? undefined : optionNamed(command, name)
  const common = { command, used, prefix: '', word: last, takesCommands: false, takesOptions: false }
  if (open !== undefined && takes(open, last)) return { ...common, option: open.option }
  if (assigned !== undefined) return { ...common, option: assigned, prefix: `${name}=`, word: value ?? '' }
  const argument = isHelp ? undefined : argumentAt(command, operands)
  return {
    ...common,
    ...(argument === undefined ? {} : { argument }),
    takesCommands: operands === 0 && !isEnded,
    takesOptions: !isEnded && !isHelp,
  }
}

interface State {
  readonly command: Command
  readonly used: ReadonlySet<Option>
  readonly operands: number
  /** An option that may get a value, and how many values it has. */
  readonly open?: { readonly option: Option; readonly values: number }
  /** After `--`, and within the command line of another program, nothing is an option. */
  readonly isEnded: boolean
  /** After `help` only the name of a command is possible. */
  readonly isHelp: boolean
}

function start(command: Command): State {
  return { command, used: new Set(), operands: 0, isEnded: false, isHelp: false }
}

function step({ open, ...state }: State, word: string): State {
  const { command, used, operands, isEnded, isHelp } = state
  if (open !== undefined && takes(open, word)) {
    return open.option.variadic ? { ...state, open: { ...open, values: open.values + 1 } } : state
  }
  if (isEnded || isHelp) return { ...state, operands: operands + 1 }
  if (word === '--') return { ...state, isEnded: true }
  if (isOption(word)) {
    const option = optionNamed(command, word.replace(/=.*/s, ''))
    if (option === undefined) return state
    const opens = (option.required || option.optional) && !word.includes('=')
    return { ...state, used: new Set([...used, option]), ...(opens ? { open: { option, values: 0 } } : {}) }
  }
  if (operands === 0 && word === 'help' && command.commands.length > 0) return { ...state, isHelp: true }
  const next = operands === 0 ? commandNamed(command, word) : undefined
  if (next !== undefined) return start(next)
  return { ...state, operands: operands + 1, isEnded: argumentAt(command, operands)?.name() === FOREIGN }
}

/** The argument that is the command line of another program, whose options are not Holdpoint's. */
const FOREIGN = 'command'

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

/** A required value may look like an option; an optional value may not. */
function takes({ option, values }: NonNullable<State['open']>, word: string): boolean {
  return (option.required && values === 0) || !isOption(word)
}

function argumentAt(command: Command, index: number): Argument | undefined {
  const { registeredArguments: all } = command
  return all[index] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined)
}

function optionNamed(command: Command, name: string): Option | undefined {
  return command
    .createHelp()
    .visibleOptions(command)
    .find(({ long, short }) => long === name || short === name)
}

function commandNamed(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name || each.aliases().includes(name))
}
