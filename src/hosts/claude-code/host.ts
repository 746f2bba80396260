import type { Host } from '../host.ts'
import { eventNamed } from '../payload.ts'
import { CLAUDE_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'
import { overHttp } from './http.ts'

export const host: Host = {
  id: 'claude-code',
  title: 'Claude Code',
  events: CLAUDE_EVENTS,
  deliversTwice: true,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  decode,
  eventNamed,
  encode,
  refuse,
  overHttp,
}
