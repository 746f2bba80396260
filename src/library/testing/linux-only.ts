/** For `it.runIf`: cases that need what only Linux has. */
export const isLinux = process.platform === 'linux'

/** The name of such a case. Elsewhere it is shown as skipped, with the reason. */
export function onLinux(name: string, reason: string): string {
  return isLinux ? name : `${name} (only on Linux: ${reason})`
}
