import type { Host } from '../host.ts'
import { eventNamed, isOfClaudeCode } from '../payload.ts'
import { SCRATCHPAD_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** Whoever calls the four scripts of the scratchpad protocol by hand, or from a runner of their own. */
export const host: Host = {
  id: 'scratchpad',
  title: 'Scratchpad protocol',
  events: SCRATCHPAD_EVENTS,
  deliversTwice: false,
  answersAs: (payload) => (isOfClaudeCode(payload) ? 'claude-code' : undefined),
  decode,
  eventNamed,
  encode,
  refuse,
}
