import type { Host } from '../../core/host.ts'
import { importingAgent } from '../importing-agent.ts'
import { claudeEventName } from '../payload.ts'
import { CLAUDE_EVENTS } from './abilities.ts'
import { decode } from './decode.ts'
import { encode, refuse } from './encode.ts'
import { overHttp } from './http.ts'
import { pluginList } from './places.ts'

export const host: Host = {
  id: 'claude-code',
  title: 'Claude Code',
  events: CLAUDE_EVENTS,
  deliversTwice: true,
  // Seen on 2.1.325: `0` with `-p`, where nobody sees a question.
  isHeadless: (env) => env.CLAUDE_CODE_SESSION_ATTENDED === '0',
  projectVariable: 'CLAUDE_PROJECT_DIR',
  pluginList,
  answersAs: importingAgent,
  decode,
  eventNamed: claudeEventName,
  encode,
  refuse,
  overHttp,
}
