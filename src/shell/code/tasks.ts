import { exactWord } from '../words/words.ts'
import type { CodeOutcome } from './outcome.ts'

const PROGRAM = /\.(?:launchPath|executableURL)\s*=[^"';]{0,60}(["'])((?:(?!\1)[^\\\n]){1,400})\1/g
const ARGUMENTS = /\.arguments\s*=\s*(?:\$\s*\(\s*)?\[([^\]]{0,4000})\]/
const TEXT = /(["'])((?:(?!\1)[^\\\n]){0,400})\1/g
const TASKS_MAX = 8

/** JavaScript for Automation sets the program and the arguments of a task as properties, and starts it without a call. */
export function readTasks(code: string): readonly CodeOutcome[] {
  return [...code.matchAll(PROGRAM)].slice(0, TASKS_MAX).map((found): CodeOutcome => {
    const [listed = ''] = ARGUMENTS.exec(code)?.slice(1) ?? []
    const args = [...listed.matchAll(TEXT)].map(([, , text = '']) => text)
    return { kind: 'words', words: [found[2] ?? '', ...args].map(exactWord) }
  })
}
