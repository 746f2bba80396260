import type { Host } from '../../core/host.ts'
import { claudeEventName, isOfClaudeCode } from '../payload.ts'
import { LEGACY_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** For programs that call the hook of the older rules: a function of a tool, its arguments and a context. */
export const host: Host = {
  id: 'mux-legacy',
  title: 'MUX hook function',
  events: LEGACY_EVENTS,
  deliversTwice: false,
  answersAs: (payload) => (isOfClaudeCode(payload) ? 'claude-code' : undefined),
  decode,
  eventNamed: claudeEventName,
  encode,
  refuse,
}
