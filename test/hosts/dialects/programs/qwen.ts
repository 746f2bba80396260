import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { told } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, after, OUTPUT_STAYS, REWRITE_DENIED } from '../episodes.ts'
import { type DialectProgram, NOBODY_THERE, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@qwen-code/qwen-code'

const SETTINGS = {
  security: { auth: { selectedType: 'openai' } },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
}

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'qwen',
  get title() {
    return `Qwen Code ${versionOf(MODULE)}`
  },
  wire: chat,
  command: 'qwen',
  program: [process.execPath, join(MODULES, MODULE, 'cli.js')],
  files: ({ home }) => ({ [join(home, '.qwen', 'settings.json')]: `${JSON.stringify(SETTINGS, null, 2)}\n` }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_MODEL: 'scripted',
    QWEN_CODE_NO_RELAUNCH: 'true',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['--approval-mode', 'yolo', '-p', prompt],
  turns: oneTurn(used),
  scratch: [],
}

function used(act: Act, { project }: Places): ToolUse {
  if ('shell' in act) {
    const input = { command: act.shell, description: 'Run it', is_background: false }
    return { name: 'run_shell_command', input }
  }
  if ('write' in act)
    return { name: 'write_file', input: { file_path: join(project, act.write), content: act.text } }
  if ('delegate' in act) {
    const prompt = `Play ${markOf(act.delegate)}.`
    const input = {
      description: 'Help',
      prompt,
      subagent_type: 'general-purpose',
      run_in_background: act.beside === true,
    }
    return { name: 'agent', input }
  }
  if ('skill' in act) return { name: 'skill', input: { skill: act.skill } }
  throw new Error('Qwen Code has no such tool')
}

export const qwen: DialectProgram = {
  agent,
  lacks: { ask: NOBODY_THERE },
  expected: {
    ask: ASK_DENIED,
    rewrite: REWRITE_DENIED,
    output: OUTPUT_STAYS,
    contextBefore: [told('Note before.', after('context'))],
  },
}
