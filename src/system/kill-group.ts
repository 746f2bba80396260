import type { ChildProcess } from 'node:child_process'

/** A process and all that it started, at once: what ignores SIGTERM must not run past its deadline. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}
