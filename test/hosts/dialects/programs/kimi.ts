import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { notTold, ran, recorded, told } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, after, DELEGATES_IN_VAIN, REWRITE_DENIED } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, NEWER_NODE, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@moonshot-ai/kimi-code'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'kimi',
  get title() {
    return `Kimi Code ${versionOf(MODULE)}`
  },
  wire: chat,
  command: 'kimi',
  program: [NEWER_NODE, join(MODULES, MODULE, 'dist', 'main.mjs')],
  files: ({ home }, model) => ({ [join(home, '.kimi-code', 'config.toml')]: configOf(model) }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    KIMI_DISABLE_TELEMETRY: '1',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['-p', prompt],
  turns: oneTurn(used),
  scratch: [],
}

function configOf(model: string): string {
  return `default_model = "scripted/m"

[providers.scripted]
type = "openai"
base_url = "${model}/v1"
api_key = "sk-test"

[models."scripted/m"]
provider = "scripted"
model = "scripted"
max_context_size = 100000
`
}

function used(act: Act, { project }: Places): ToolUse {
  if ('shell' in act) return { name: 'Bash', input: { command: act.shell } }
  if ('write' in act) return { name: 'Write', input: { path: join(project, act.write), content: act.text } }
  if ('delegate' in act) {
    const prompt = `Play ${markOf(act.delegate)}.`
    return {
      name: 'Agent',
      input: {
        description: 'Help',
        prompt,
        subagent_type: 'coder',
        ...(act.beside && { run_in_background: true }),
      },
    }
  }
  if ('skill' in act) return { name: 'Skill', input: { skill: act.skill } }
  throw new Error('Kimi Code has no such tool')
}

export const kimi: DialectProgram = {
  agent,
  lacks: { ask: CANNOT_ASK },
  expected: {
    ask: ASK_DENIED,
    rewrite: REWRITE_DENIED,
    output: [told('what.the.tool.printed', after('output'))],
    contextBefore: [notTold('Note before.', 'not passed on')],
    contextAfter: [notTold('Note after.', 'not passed on')],
    stop: [
      told('Write notes.txt first.'),
      ran('notes.txt', 'it goes on and does it; a second time it is not asked'),
      recorded({ event: 'Stop', effect: 'deny', because: 'test/gate' }),
    ],
    identity: [recorded({ effect: 'deny', by: 'main' }, '**none**: it looks like the main agent')],
    contract: [told('report.md does not exist'), ran('report.md', 'it goes on and writes it')],
    subagentStop: [notTold('Write notes.txt first.', '**not held**', { in: 'helper' })],
    subagentContract: [notTold('notes.txt does not exist', '**not held**', { in: 'helper' })],
    orchestrator: DELEGATES_IN_VAIN,
  },
}
