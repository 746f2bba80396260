import { join } from 'node:path'
import { type Act, type Agent, MODULES, surroundings, versionOf } from '../../agents.ts'
import { notRecorded, notTold, ran, recorded, told, turns } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, CALLS_STOPPED, DELEGATES, OUTPUT_STAYS, REWRITE_DENIED } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@aaif/goose-binary-linux-x64'

const CONFIG = `GOOSE_PROVIDER: openai
GOOSE_MODEL: gpt-4o
GOOSE_MODE: auto
GOOSE_TELEMETRY_ENABLED: false
extensions:
  developer:
    enabled: true
    type: builtin
    name: developer
    timeout: 300
`

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'goose',
  get title() {
    return `Goose ${versionOf(MODULE)}`
  },
  wire: chat,
  command: 'goose',
  program: [join(MODULES, MODULE, 'bin', 'goose')],
  files: ({ home }) => ({ [join(home, '.config', 'goose', 'config.yaml')]: CONFIG }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    OPENAI_API_KEY: 'sk-test',
    OPENAI_HOST: model,
    GOOSE_DISABLE_KEYRING: '1',
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: 'gpt-4o',
    GOOSE_MODE: 'auto',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['run', '--no-session', '-t', prompt],
  turns: oneTurn(used),
  scratch: ['.local'],
}

function used(act: Act): ToolUse {
  if ('shell' in act) return { name: 'shell', input: { command: act.shell } }
  if ('write' in act) return { name: 'write', input: { path: act.write, content: act.text } }
  if ('delegate' in act) {
    const background = act.beside === true ? { async: true } : {}
    return { name: 'delegate', input: { instructions: `Play ${markOf(act.delegate)}.`, ...background } }
  }
  if ('skill' in act) return { name: 'load_skill', input: { name: act.skill } }
  throw new Error('Goose has no such tool')
}

export const goose: DialectProgram = {
  agent,
  lacks: { ask: CANNOT_ASK, subagent: 'no event comes from a sub-agent' },
  expected: {
    ask: ASK_DENIED,
    rewrite: REWRITE_DENIED,
    output: OUTPUT_STAYS,
    contextSession: [notTold('Note at the start.', 'not passed on')],
    contextPrompt: [notTold('Note with the prompt.', 'not passed on')],
    contextBefore: [notTold('Note before.', 'not passed on')],
    contextAfter: [notTold('Note after.', 'not passed on')],
    prompt: [turns(1, '**goes on**'), recorded({ event: 'UserPromptSubmit', downgraded: 'deny to notice' })],
    gone: CALLS_STOPPED,
    killed: CALLS_STOPPED,
    broken: CALLS_STOPPED,
    subagent: [ran('helper.txt', '**runs**: what a sub-agent does is not seen')],
    identity: [notRecorded({ effect: 'deny' }, '**none**: no event comes')],
    subagentStop: [notTold('Write notes.txt first.', '**not held**')],
    subagentContract: [notTold('notes.txt does not exist', '**not held**')],
    // The program ends before an agent in the background has done anything.
    orchestrator: [...DELEGATES, told('in the background', { step: 3 })],
  },
}
