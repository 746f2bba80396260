import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import pc from 'picocolors'
import type { Result } from '../core/errors.ts'
import type { Ancestor } from '../system/ancestry.ts'
import { monotonicMs } from '../system/clock.ts'
import { type Home, homeLayout, userHome } from '../system/home.ts'

/**
 * Who started a command, and where: everything that a command may know of its process and change in it. Commands get it as
 * an argument, so that tests can play a whole command in their own process.
 */
export interface Caller {
  readonly stdin: CallerInput
  /** All of standard input as text, if it ends within this time. */
  readInput(maxMs: number): Promise<Result<string>>
  readonly stdout: CallerOutput
  readonly stderr: CallerOutput
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths start from. */
  readonly cwd: string
  /** A path that somebody typed, as the file system needs it: a relative one starts from `cwd`. */
  path(typed: string): string
  /** Where other programs keep the user's files. */
  readonly userHome: string
  readonly colours: Colours
  /** The command has answered with this code once it has ended. */
  exitCode: number
  /** Ends at once, whatever is still running. */
  exit(code: number): never
  /** Calls the listener at each of these signals instead of ending. Returns what undoes that. */
  onSignals(signals: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): () => void
  /** The processes above, nearest first; undefined if they cannot be seen. Left out: those above this process. */
  ancestors?(): readonly Ancestor[] | undefined
}

export type Colours = ReturnType<typeof pc.createColors>

export interface CallerInput extends Readable {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

export interface CallerOutput extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
}

/** The caller of this process. Its streams are opened when they are first used, because that takes time. */
export function processCaller(): Caller {
  return {
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return process.stderr
    },
    get cwd() {
      return process.cwd()
    },
    get exitCode() {
      return Number(process.exitCode ?? 0)
    },
    set exitCode(code) {
      process.exitCode = code
    },
    env: process.env,
    // The file system resolves it itself, and names it in its errors as it was typed.
    path: (typed) => typed,
    userHome: userHome(process.env),
    colours: pc,
    // Loaded only by the commands that read it.
    readInput: async (maxMs) => (await import('./input.ts')).readInput(maxMs, monotonicMs),
    exit: (code) => process.exit(code),
    onSignals(signals, listener) {
      for (const signal of signals) process.on(signal, listener)
      return () => {
        for (const signal of signals) process.off(signal, listener)
      }
    },
  }
}

/** Resolves at the first of these signals. The next one ends the process, as usual. */
export function signalled(caller: Caller, signals: readonly NodeJS.Signals[] = ENDING): Promise<void> {
  return new Promise((resolve) => {
    const undo = caller.onSignals(signals, () => {
      undo()
      resolve()
    })
  })
}

/** Ctrl-C, the end of a service, and the end of the terminal. */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Where Holdpoint's files of this user are. `named` is the option `--home`, which is relative to the caller's folder. */
export function homeNamed(caller: Caller, named: string | undefined): Home {
  return homeLayout(named === undefined ? undefined : resolve(caller.cwd, named), caller.env)
}
