/** Whether there is a process of this number. It may be another program's by now. */
export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's, which may not be asked, is one all the same.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
