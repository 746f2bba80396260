/**
 * Sorts by time, then randomly. Unique, not secret: loading a cryptographic random source would slow every
 * event.
 */
export function newRecordId(): string {
  const chance = () => Math.random().toString(36).slice(2, 8).padEnd(6, '0')
  return `${Date.now().toString(36)}-${chance()}${chance()}`
}

/** Whether a text has the shape of a record's id, whether or not there is such a record. */
export function isRecordId(text: string): boolean {
  return /^[0-9a-z]{8}-[0-9a-z]{12}$/.test(text)
}
