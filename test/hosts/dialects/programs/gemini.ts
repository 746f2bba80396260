import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { notRan, notTold, recorded, told } from '../../checks.ts'
import { gemini as wire } from '../../models/gemini.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, DELEGATES_IN_VAIN, OUTPUT_STAYS } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@google/gemini-cli'

const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
}

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'gemini',
  get title() {
    return `Gemini CLI ${versionOf(MODULE)}`
  },
  wire,
  command: 'gemini',
  program: [process.execPath, join(MODULES, MODULE, 'bundle', 'gemini.js')],
  files: ({ home }) => ({
    [join(home, '.gemini', 'settings.json')]: `${JSON.stringify(SETTINGS, null, 2)}\n`,
  }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    GEMINI_API_KEY: 'sk-test',
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
  turns: oneTurn(used),
  scratch: ['.gemini/projects.json*', '.gemini/tmp', '.gemini/history', '.gemini/installation_id'],
}

function used(act: Act, { project }: Places): ToolUse {
  if ('shell' in act)
    return { name: 'run_shell_command', input: { command: act.shell, description: 'Run it' } }
  if ('write' in act)
    return { name: 'write_file', input: { file_path: join(project, act.write), content: act.text } }
  if ('delegate' in act)
    return {
      name: 'invoke_agent',
      input: { agent_name: 'generalist', prompt: `Play ${markOf(act.delegate)}.` },
    }
  if ('skill' in act) return { name: 'activate_skill', input: { name: act.skill } }
  throw new Error('Gemini CLI has no such tool')
}

export const gemini: DialectProgram = {
  agent,
  lacks: { ask: CANNOT_ASK },
  expected: {
    ask: ASK_DENIED,
    output: OUTPUT_STAYS,
    subagent: [notRan('helper.txt'), told('Red tape', { in: 'helper' }), recorded({ effect: 'deny' })],
    identity: [recorded({ effect: 'deny', by: 'main' }, '**none**: it looks like the main agent')],
    subagentStop: [notTold('Write notes.txt first.', 'no such event: it is not held')],
    subagentContract: [notTold('notes.txt does not exist', 'no such event: it is not held')],
    orchestrator: DELEGATES_IN_VAIN,
  },
}
