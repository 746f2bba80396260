import type { Host } from '../../core/host.ts'
import { claudeEventName, isOfClaudeCode } from '../payload.ts'
import { SCRATCHPAD_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** For programs that call the four scripts of the scratchpad protocol directly. */
export const host: Host = {
  id: 'scratchpad',
  title: 'Scratchpad protocol',
  events: SCRATCHPAD_EVENTS,
  deliversTwice: false,
  answersAs: (payload) => (isOfClaudeCode(payload) ? 'claude-code' : undefined),
  decode,
  eventNamed: claudeEventName,
  encode,
  refuse,
}
