import type { Host } from '../host.ts'
import { isOfClaudeCode } from '../payload.ts'
import { COLLECTIVE_EVENTS } from './abilities.ts'
import { decode, eventNamed, mended } from './decode.ts'
import { encode, lastResort, refuse } from './encode.ts'

/** Whoever calls the scripts of the collective by hand, or from a runner of their own. */
export const host: Host = {
  id: 'collective',
  title: 'Test-driven collective',
  events: COLLECTIVE_EVENTS,
  deliversTwice: false,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  answersAs: (payload) => (isOfClaudeCode(mended(payload)) ? 'claude-code' : undefined),
  decode,
  eventNamed,
  lastResort,
  encode,
  refuse,
}
