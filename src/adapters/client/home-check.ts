import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

const OTHERS_MAY_WRITE = 0o022

/**
 * Why nothing in this home may be asked or started, as the end of a sentence. A home that another user owns or can write
 * to could answer anything, and its programs would run as this user.
 */
export function homeProblem(home: string): string | undefined {
  if (typeof home !== 'string' || !isAbsolute(home)) return 'the Holdpoint home must be an absolute path'
  for (const path of [home, join(home, 'bin')]) {
    const problem = placeProblem(path)
    if (problem !== undefined) return `${path} ${problem}`
  }
  return undefined
}

/** The same for a program below it. */
export function placeProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 'is missing; `npx holdpoint init` writes it'
  const user = process.geteuid?.()
  if (user === undefined) return undefined
  if (found.uid !== user && found.uid !== 0) return 'belongs to another user'
  return (found.mode & OTHERS_MAY_WRITE) === 0 ? undefined : 'is writable for other users'
}
