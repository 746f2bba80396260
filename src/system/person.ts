import { userInfo } from 'node:os'
import { isatty } from 'node:tty'
import { terminalOnInput } from './platform/processes.ts'
import type { SignedBy } from './signatures.ts'

/** The user at this terminal according to the system, for signatures and the journal. */
export function personHere(): Omit<SignedBy, 'atMs'> {
  return { user: userName(), terminal: terminalName() }
}

function userName(): string {
  try {
    const { username, uid } = userInfo()
    return `${username} (${uid})`
  } catch {
    // A user id without a name, as in some containers.
    return String(process.getuid?.() ?? 'unknown')
  }
}

function terminalName(): string {
  return isatty(0) ? (terminalOnInput() ?? 'a terminal') : 'none'
}
