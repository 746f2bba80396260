import type { Host } from '../host.ts'
import { eventNamed, isOfClaudeCode } from '../payload.ts'
import { MUX_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** Whoever calls the guard scripts of the skills mux and mux-subagent by hand, or from a runner of their own. */
export const host: Host = {
  id: 'mux',
  title: 'MUX guards',
  events: MUX_EVENTS,
  deliversTwice: false,
  answersAs: (payload) => (isOfClaudeCode(payload) ? 'claude-code' : undefined),
  decode,
  eventNamed,
  encode,
  refuse,
}
