import type { Host } from '../../core/host.ts'
import { claudeEventName } from '../payload.ts'
import { CODEX_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** Codex CLI 0.166.0. No variable names the project: the folder its session began in counts. */
export const host: Host = {
  id: 'codex',
  title: 'Codex',
  events: CODEX_EVENTS,
  deliversTwice: false,
  limits: [
    {
      kind: 'unseen',
      says: 'what is typed into a program that already runs (`write_stdin`) is not shown to hooks.',
    },
  ],
  decode,
  eventNamed: claudeEventName,
  encode,
  refuse,
}
