import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { notTold, recorded } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, CALLS_STOPPED, OUTPUT_STAYS } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@factory/cli-linux-x64'

/** What it requests from its vendor's server before it works with another model. */
const VENDOR = {
  '/api/cli/whoami': { id: 'u1', userId: 'u1', email: 'dev@example.com', orgId: 'o1' },
  '/api/automations/sync': {},
  '/api/billing/limits': {},
  '/api/connectors/tools/revision': {},
  '/api/connectors/tools/list': {},
  '/api/feature-flags': {},
  '/api/ingest': {},
  '/api/organization/managed-settings': {},
  '/api/llm/custom/usage': {},
  '/api/otlp/traces/ingest': {},
}

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'droid',
  get title() {
    return `Droid ${versionOf(MODULE)}`
  },
  wire: { ...chat, aside: { ...chat.aside, ...VENDOR } },
  command: 'droid',
  program: [join(MODULES, MODULE, 'bin', 'droid')],
  files: ({ home }, model) => ({
    [join(home, '.factory', 'settings.json')]: JSON.stringify({
      customModels: [
        {
          ...{ model: 'scripted', id: 'custom:scripted', displayName: 'Scripted', apiKey: 'sk-test' },
          ...{ baseUrl: `${model}/v1`, provider: 'generic-chat-completion-api', maxOutputTokens: 4_000 },
        },
      ],
      model: 'custom:scripted',
      cloudSessionSync: false,
    }),
  }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    FACTORY_API_KEY: 'fk-test',
    FACTORY_API_BASE_URL: model,
    FACTORY_APP_BASE_URL: model,
    FACTORY_TELEMETRY_INGEST_BASE_URL: model,
    FACTORY_WORKOS_BASE_URL: model,
    FACTORY_DISABLE_KEYRING: '1',
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['exec', '--skip-permissions-unsafe', '-m', 'custom:scripted', prompt],
  turns: oneTurn(used),
  scratch: [],
}

function used(act: Act, { project }: Places): ToolUse {
  if ('shell' in act) {
    const input = { command: act.shell, riskLevel: 'low', riskLevelReason: 'Harmless', summary: 'Run it' }
    return { name: 'Execute', input }
  }
  if ('write' in act)
    return { name: 'Create', input: { file_path: join(project, act.write), content: act.text } }
  if ('delegate' in act) {
    const prompt = `Play ${markOf(act.delegate)}.`
    return {
      name: 'Task',
      input: { subagent_type: 'worker', description: 'Help', prompt, await: act.beside !== true },
    }
  }
  if ('skill' in act) return { name: 'Skill', input: { skill: act.skill } }
  throw new Error('Droid has no such tool')
}

export const droid: DialectProgram = {
  agent,
  lacks: { ask: CANNOT_ASK },
  expected: {
    ask: ASK_DENIED,
    output: OUTPUT_STAYS,
    contextPrompt: { notProved: '`droid exec` does not tell of prompts' },
    prompt: { notProved: '`droid exec` does not tell of prompts' },
    identity: [recorded({ effect: 'deny', by: 'main' }, '**none**: it looks like a main agent')],
    subagentStop: [notTold('Write notes.txt first.', '**not held**', { in: 'helper' })],
    subagentContract: [notTold('notes.txt does not exist', '**not held**', { in: 'helper' })],
    gone: CALLS_STOPPED,
    killed: CALLS_STOPPED,
    broken: CALLS_STOPPED,
  },
}
