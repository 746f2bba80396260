import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { notTold } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, OUTPUT_STAYS } from '../episodes.ts'
import { type DialectProgram, NOBODY_THERE, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@xai-official/grok'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'grok',
  get title() {
    return `Grok Build ${versionOf(MODULE)}`
  },
  // It requests a title of the session through another interface, and checks whether the server is running.
  wire: { ...chat, aside: { ...chat.aside, '/': {}, '/v1/responses': {} } },
  command: 'grok',
  program: [process.execPath, join(MODULES, MODULE, 'bin', 'grok-bootstrap.js')],
  files: (places, model) => ({ [join(places.home, '.grok', 'config.toml')]: configOf(model) }),
  environment: (places: Places, model) => ({
    ...surroundings(places, model),
    GROK_DISABLE_AUTOUPDATER: '1',
    GROK_TELEMETRY_ENABLED: 'false',
    GROK_FEEDBACK_ENABLED: 'false',
    XAI_API_KEY: 'sk-test',
    GROK_MODELS_BASE_URL: `${model}/v1`,
    GROK_CLI_CHAT_PROXY_BASE_URL: model,
    NO_COLOR: '1',
  }),
  args: (prompt) => ['-m', 'scripted', '--always-approve', '--disable-web-search', '-p', prompt],
  turns: oneTurn(used),
  scratch: ['.grok/bin'],
}

function configOf(model: string): string {
  return `[models]
default = "scripted"

[model.scripted]
model = "scripted"
base_url = "${model}/v1"
name = "Scripted"
api_key = "sk-test"
api_backend = "chat_completions"
context_window = 128000

[telemetry]
enabled = false
`
}

function used(act: Act, { home }: Places): ToolUse {
  if ('shell' in act)
    return { name: 'run_terminal_command', input: { command: act.shell, description: 'Run it' } }
  if ('write' in act) return { name: 'write', input: { file_path: act.write, content: act.text } }
  if ('delegate' in act) {
    const prompt = `Play ${markOf(act.delegate)}.`
    return { name: 'spawn_subagent', input: { description: 'Help', prompt, background: act.beside === true } }
  }
  if ('skill' in act)
    return {
      name: 'read_file',
      input: { target_file: join(home, '.agents', 'skills', act.skill, 'SKILL.md') },
    }
  throw new Error('Grok Build has no such tool')
}

export const grok: DialectProgram = {
  agent,
  lacks: { ask: NOBODY_THERE },
  expected: {
    ask: ASK_DENIED,
    output: OUTPUT_STAYS,
    contextSession: [notTold('Note at the start.', 'not passed on')],
    contextPrompt: [notTold('Note with the prompt.', 'not passed on')],
  },
}
