/** What foreign code threw, in words. Uses only functions that were saved before that code ran. */

const MESSAGE_MAX_CHARACTERS = 1_000

/** The line of the author's own code where the error was thrown, ` (at file:line:column)`; otherwise only the file. */
export function thrownAt(error: unknown, file: string): string {
  const inFile = ` (in ${file})`
  try {
    const stack: unknown = typeof error === 'object' && error !== null ? (error as Error).stack : undefined
    if (typeof stack !== 'string') return inFile
    const lines = splitText(slice(stack, 0, STACK_MAX_CHARACTERS), '\n')
    for (let i = 0; i < lines.length; i += 1) {
      const found = exec(FRAME, lines[i] ?? '')
      const path = found?.[1] ?? ''
      if (path !== '' && exec(NOT_THEIRS, path) === null) return ` (at ${path}:${found?.[2]}:${found?.[3]})`
    }
    return inFile
  } catch {
    return inFile
  }
}

const STACK_MAX_CHARACTERS = 20_000
const FRAME = /^\s+at (?:.*\()?(?:file:\/\/)?(\/[^()]*):(\d+):(\d+)\)?$/
/** Packages and Holdpoint itself. */
const NOT_THEIRS = /\/node_modules\/|\/module-host\.cjs$|\/src\/system\/modules\/|\/src\/core\//
const exec = RegExp.prototype.exec.call.bind(RegExp.prototype.exec) as (
  pattern: RegExp,
  text: string,
) => RegExpExecArray | null
export const splitText = String.prototype.split.call.bind(String.prototype.split) as (
  text: string,
  by: string,
) => readonly string[]
const slice = String.prototype.slice.call.bind(String.prototype.slice) as (
  text: string,
  from: number,
  to: number,
) => string

/** The thrown value may have any type, and may throw again when it is read. */
export function thrownWords(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message || error.name : String(error)
    return `${text}`.slice(0, MESSAGE_MAX_CHARACTERS) || 'it threw an empty text'
  } catch {
    return 'it threw something that cannot be read'
  }
}
