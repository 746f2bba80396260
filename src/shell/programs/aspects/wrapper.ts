import type { OptionText } from '../../arguments/options.ts'

/** A program that runs the command written after its own options. Lists of words are one text: `-e --command`. */
export interface Wrapper {
  readonly options: OptionText
  /** How many words stand between the options and the command: a duration, a lock file. */
  readonly operands?: number
  /** `NAME=value` may stand before the command. */
  readonly assignments?: boolean
  /** With one of these options no command is run. */
  readonly inert?: string
  /** The option that names the folder the command runs in. */
  readonly folder?: string
  /** The option whose value is text to be read as a command. */
  readonly code?: string
  /** Without a command it starts a shell: always, or with one of these options. */
  readonly shell?: true | string
  /** Everything after the options is one text for a shell: always, or with one of these options. */
  readonly joins?: true | string
  /** Every word after the options is a text of its own for a shell. */
  readonly texts?: boolean
  /** A builtin: `cd` behind it moves this shell. */
  readonly sameShell?: boolean
  /** What follows `--` is the command, where there is a `--`, whatever stands before it. */
  readonly separated?: boolean
  /** The command begins after one of these words, and only there. */
  readonly after?: string
  /** It runs on another machine or in a container; the operand before the command says which. */
  readonly remote?: boolean
  /** The option that replaces the program the place would run. */
  readonly entry?: string
  /** The option with which nothing of the environment is passed on. */
  readonly bare?: string
  /** What stands before the command's own name: `rimraf@5` is rimraf. */
  readonly versioned?: boolean
  /** With one of these words after the options it is this wrapper; with any other it is none. */
  readonly verbs?: Readonly<Record<string, Wrapper>>
  /** A verb that is not one of its own is a program to run: `yarn prisma`. These are its own. */
  readonly ownVerbs?: string
}

export const PLAIN: Wrapper = { options: '' }
/** What follows `--` is the command. */
export const SEPARATED: Wrapper = { ...PLAIN, separated: true }

/** Only with this verb it runs another program. */
export function only(verb: string, wrapper: Wrapper = SEPARATED, own = ''): Wrapper {
  return { options: own, verbs: { [verb]: wrapper } }
}
