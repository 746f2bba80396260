import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { CALLS_STOPPED } from '../episodes.ts'
import { type DialectProgram, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@github/copilot'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'copilot',
  get title() {
    return `Copilot CLI ${versionOf(MODULE)}`
  },
  wire: chat,
  command: 'copilot',
  program: [process.execPath, join(MODULES, MODULE, 'npm-loader.js')],
  files: () => ({}),
  environment: (places: Places, model) => ({
    ...surroundings(places, model),
    COPILOT_HOME: join(places.home, '.copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'sk-test',
    COPILOT_MODEL: 'gpt-4.1',
    NO_COLOR: '1',
  }),
  args: (prompt) => [
    ...['-p', prompt, '--allow-all-tools', '--allow-all-paths'],
    ...['--no-auto-update', '--no-ask-user', '--output-format', 'json'],
  ],
  turns: oneTurn(used),
  scratch: ['.cache', '.copilot/logs', '.copilot/pkg', '.copilot/session-state'],
}

function used(act: Act): ToolUse {
  if ('shell' in act) return { name: 'bash', input: { command: act.shell, description: 'Run it' } }
  if ('write' in act) return { name: 'create', input: { path: act.write, file_text: act.text } }
  if ('delegate' in act) {
    const input = { description: 'Help', prompt: `Play ${markOf(act.delegate)}.`, name: 'helper' }
    return {
      name: 'task',
      input: { ...input, agent_type: 'general-purpose', mode: act.beside === true ? 'background' : 'sync' },
    }
  }
  if ('skill' in act) return { name: 'skill', input: { skill: act.skill } }
  throw new Error('Copilot CLI has no such tool')
}

export const copilot: DialectProgram = {
  agent,
  expected: { gone: CALLS_STOPPED, killed: CALLS_STOPPED, broken: CALLS_STOPPED },
}
