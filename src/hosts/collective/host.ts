import type { Host } from '../../core/host.ts'
import { isOfClaudeCode } from '../payload.ts'
import { COLLECTIVE_EVENTS } from './abilities.ts'
import { collectiveEventName, decode, mended } from './decode.ts'
import { collectiveLastResort, encode, refuse } from './encode.ts'

/** For programs that call the scripts of the collective directly. */
export const host: Host = {
  id: 'collective',
  title: 'Test-driven collective',
  events: COLLECTIVE_EVENTS,
  deliversTwice: false,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  answersAs: (payload) => (isOfClaudeCode(mended(payload)) ? 'claude-code' : undefined),
  decode,
  eventNamed: collectiveEventName,
  lastResort: collectiveLastResort,
  encode,
  refuse,
}
