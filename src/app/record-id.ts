/**
 * Sorts by time, then randomly. Unique, not secret: loading a cryptographic random source would slow every
 * event.
 */
export function newRecordId(): string {
  const chance = () => Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  return `${Date.now().toString(36)}-${chance()}${chance()}`
}
