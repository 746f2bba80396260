import type { Host } from '../host.ts'
import { eventNamed } from '../payload.ts'
import { CODEX_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** Codex CLI 0.166.0. No variable names the project: the folder its session began in counts. */
export const host: Host = {
  id: 'codex',
  title: 'Codex',
  events: CODEX_EVENTS,
  deliversTwice: false,
  decode,
  eventNamed,
  encode,
  refuse,
}
