import type { Problem } from '../core/errors.ts'
import { visible } from './visible.ts'

/** A problem of the configuration in one line: where it is, what is wrong, and what is stopped until then. */
export function problemLine(problem: Problem, near: (path: string) => string = (path) => path): string {
  const { file, line, key = '', message, holds } = problem
  const place = file === undefined ? '' : `${near(file)}${line === undefined ? '' : `:${line}`}`
  const words = [place, key, message, holds ?? ''].filter((word) => word !== '')
  return visible(words.join(' '), LINE_MAX)
}

const LINE_MAX = 2_000

/** Whether something in the configuration could not be read, so that an answer may not be what was meant. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity !== 'warning')
}
