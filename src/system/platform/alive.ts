/** Whether there is a process with this id. It may belong to another program by now. */
export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user that cannot be signalled exists too.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
