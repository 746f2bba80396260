import { signal } from '@preact/signals'

/** The time, for texts such as "3 min ago": every page reads it here, so that all of them change together. */
export const nowMs = signal(Date.now())

const EVERY_MS = 1_000

setInterval(() => {
  nowMs.value = Date.now()
}, EVERY_MS)
