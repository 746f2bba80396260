import type { Host } from '../../core/host.ts'
import { claudeEventName, isOfClaudeCode } from '../payload.ts'
import { MUX_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** For programs that call the guard scripts of the skills mux and mux-subagent directly. */
export const host: Host = {
  id: 'mux',
  title: 'MUX guards',
  events: MUX_EVENTS,
  deliversTwice: false,
  answersAs: (payload) => (isOfClaudeCode(payload) ? 'claude-code' : undefined),
  decode,
  eventNamed: claudeEventName,
  encode,
  refuse,
}
