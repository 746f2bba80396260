import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings } from '../../agents.ts'
import { notTold, turns } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, OUTPUT_STAYS } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, NEWER_NODE, NOT_PLAYED, oneTurn } from '../program.ts'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'codebuddy',
  // The npm package of its SDK contains this version of the program.
  title: 'CodeBuddy Code 2.117.0',
  wire: chat,
  command: 'codebuddy',
  program: [NEWER_NODE, join(MODULES, '@tencent-ai/agent-sdk', 'cli', 'bin', 'codebuddy')],
  files: ({ home }, model) => ({
    [join(home, '.codebuddy', 'models.json')]: JSON.stringify({
      models: [
        {
          ...{ id: 'scripted', name: 'Scripted', vendor: 'test', apiKey: 'sk-test' },
          ...{ url: `${model}/v1/chat/completions`, maxInputTokens: 100_000, maxOutputTokens: 4_000 },
          ...{ supportsToolCall: true, supportsImages: false },
        },
      ],
      availableModels: ['scripted'],
    }),
  }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    CODEBUDDY_API_KEY: 'sk-test',
    CODEBUDDY_BASE_URL: model,
    CODEBUDDY_SKIP_BUILTIN_MARKETPLACE: '1',
    CODEBUDDY_DISABLE_CRON: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['-p', '-y', '--model', 'scripted', prompt],
  turns: oneTurn(used),
  scratch: [],
}

function used(act: Act, { project }: Places): ToolUse {
  if ('shell' in act) return { name: 'Bash', input: { command: act.shell, description: 'Run it' } }
  if ('write' in act)
    return { name: 'Write', input: { file_path: join(project, act.write), content: act.text } }
  if ('delegate' in act) {
    const prompt = `Play ${markOf(act.delegate)}.`
    const background = act.beside === true ? { run_in_background: true } : {}
    const input = { description: 'Help', prompt, subagent_type: 'general-purpose', ...background }
    return { name: 'Agent', input }
  }
  if ('skill' in act) return { name: 'Skill', input: { skill: act.skill } }
  throw new Error('CodeBuddy Code has no such tool here')
}

export const codebuddy: DialectProgram = {
  agent,
  lacks: { ask: CANNOT_ASK, stop: 'with `-p` a gate does not hold it' },
  expected: {
    ask: ASK_DENIED,
    output: OUTPUT_STAYS,
    stop: [turns(1, '**not held** with `-p`')],
    contract: [turns(1, '**not held** with `-p`')],
    subagentStop: [notTold('Write notes.txt first.', '**not held**')],
    subagentContract: [notTold('notes.txt does not exist', '**not held**')],
  },
}
