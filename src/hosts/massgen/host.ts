import type { Host } from '../../core/host.ts'
import { isOfClaudeCode } from '../payload.ts'
import { MASSGEN_EVENTS } from './abilities.ts'
import { decode, massGenEventName } from './decode.ts'
import { encode, refuse } from './encode.ts'

/** For programs that use MassGen's protocol: a HookEvent on standard input, a HookResult on standard output. */
export const host: Host = {
  id: 'massgen',
  title: 'MassGen',
  events: MASSGEN_EVENTS,
  deliversTwice: false,
  tellsAlways: true,
  answersAs: (payload) => (isOfClaudeCode(payload) ? 'claude-code' : undefined),
  decode,
  eventNamed: massGenEventName,
  encode,
  refuse,
}
