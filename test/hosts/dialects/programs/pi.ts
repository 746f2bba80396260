import { join } from 'node:path'
import { type Act, type Agent, MODULES, surroundings, versionOf } from '../../agents.ts'
import { offersOnly } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import type { ToolUse } from '../../models/model.ts'
import { ASK_DENIED } from '../episodes.ts'
import { type DialectProgram, NEWER_NODE, NOBODY_THERE, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@earendil-works/pi-coding-agent'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'pi',
  get title() {
    return `Pi ${versionOf(MODULE)}`
  },
  wire: chat,
  command: 'pi',
  program: [NEWER_NODE, join(MODULES, MODULE, 'dist', 'bundle', 'cli.js')],
  files: ({ home }, model) => ({
    [join(home, '.pi', 'agent', 'models.json')]: JSON.stringify({
      providers: {
        scripted: {
          ...{ baseUrl: `${model}/v1`, api: 'openai-completions', apiKey: 'sk-test' },
          models: [{ id: 'scripted' }],
        },
      },
    }),
  }),
  environment: (places, model) => ({ ...surroundings(places, model), PI_OFFLINE: '1', NO_COLOR: '1' }),
  args: (prompt) => ['-p', '--model', 'scripted/scripted', prompt],
  turns: oneTurn(used),
  scratch: ['.pi/agent/sessions', '.pi/agent/bin'],
}

function used(act: Act): ToolUse {
  if ('shell' in act) return { name: 'bash', input: { command: act.shell } }
  if ('write' in act) return { name: 'write', input: { path: act.write, content: act.text } }
  throw new Error('Pi has no such tool')
}

const NO_SUBAGENTS = { notProved: 'it has no sub-agents of its own' }

export const pi: DialectProgram = {
  agent,
  lacks: { ask: NOBODY_THERE, subagent: 'it has none of its own' },
  expected: {
    ask: ASK_DENIED,
    subagent: {
      ...NO_SUBAGENTS,
      instead: [offersOnly(['bash', 'edit', 'read', 'write'], 'no tool starts an agent')],
    },
    identity: NO_SUBAGENTS,
    subagentStop: NO_SUBAGENTS,
    subagentContract: NO_SUBAGENTS,
    orchestrator: NO_SUBAGENTS,
  },
}
