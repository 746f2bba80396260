import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { notTold, ran, recorded } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, DELEGATES } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, END_IS_SEEN, NOT_PLAYED, oneTurn } from '../program.ts'

/** OpenCode, and its fork Kilo, which has another name and a few different switches. */
interface Descendant {
  readonly host: string
  readonly title: string
  readonly module: string
  /** What it requests from a registry or its vendor at its start, without a useful answer. */
  readonly asks: readonly string[]
  readonly args: readonly string[]
}

function agentOf({ host, title, module, asks, args }: Descendant): Agent {
  const settings = ({ home }: Places) => join(home, '.config', host, `${host}.json`)
  return {
    ...NOT_PLAYED,
    host,
    get title() {
      return `${title} ${versionOf(module)}`
    },
    wire: { ...chat, aside: { ...chat.aside, ...Object.fromEntries(asks.map((path) => [path, {}])) } },
    command: host,
    program: [join(MODULES, module, 'bin', host)],
    files: (places, model) => ({ [settings(places)]: JSON.stringify(configOf(model)) }),
    environment: (places, model) => ({
      ...withRipgrep(surroundings(places, model)),
      ...switchesOf(host.toUpperCase()),
      npm_config_registry: `${model}/`,
      npm_config_fetch_retries: '0',
      KILO_API_URL: model,
      KILO_TELEMETRY_LEVEL: 'off',
      DO_NOT_TRACK: '1',
      NO_COLOR: '1',
    }),
    args: (prompt) => ['run', ...args, '--format', 'json', '-m', 'scripted/scripted', prompt],
    turns: oneTurn(used),
    scratch: ['.local', '.cache', `.config/${host}/node_modules`],
  }
}

/** To load a skill, it lists the files of the skill with ripgrep, and would download that. Codex brings one. */
const RIPGREP = join(
  import.meta.dirname,
  '../../node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/codex-path',
)

function withRipgrep(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...env, PATH: `${env.PATH}:${RIPGREP}` }
}

function switchesOf(name: string): Readonly<Record<string, string>> {
  const off = ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE', 'SESSION_INGEST']
  return Object.fromEntries(off.map((each) => [`${name}_DISABLE_${each}`, '1']))
}

function configOf(model: string): object {
  const options = { baseURL: `${model}/v1`, apiKey: 'sk-test' }
  const models = {
    scripted: { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 4_000 } },
  }
  return {
    ...{ autoupdate: false, share: 'disabled', permission: { '*': 'allow' } },
    ...{ model: 'scripted/scripted', small_model: 'scripted/scripted' },
    provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } },
  }
}

function used(act: Act, { project }: Places): ToolUse {
  if ('shell' in act) return { name: 'bash', input: { command: act.shell, description: 'Run it' } }
  if ('write' in act)
    return { name: 'write', input: { filePath: join(project, act.write), content: act.text } }
  if ('delegate' in act) {
    const prompt = `Play ${markOf(act.delegate)}.`
    return {
      name: 'task',
      input: {
        description: 'Help',
        prompt,
        subagent_type: 'general',
        ...(act.beside && { background: true }),
      },
    }
  }
  if ('skill' in act) return { name: 'skill', input: { name: act.skill } }
  throw new Error('OpenCode has no such tool')
}

const expected: DialectProgram['expected'] = {
  ask: ASK_DENIED,
  stop: [notTold('Write notes.txt first.', '**not held**: the end is only seen')],
  subagentStop: [
    notTold('Write notes.txt first.', '**not held**: the end is only seen'),
    recorded({ event: 'SubagentStop', downgraded: 'deny to notice' }),
  ],
  contract: [notTold('report.md does not exist', '**not held**: the end is only seen')],
  subagentContract: [notTold('notes.txt does not exist', '**not held**: the end is only seen')],
}

const lacks = { ask: CANNOT_ASK, stop: END_IS_SEEN }

export const opencode: DialectProgram = {
  agent: agentOf({
    ...{ host: 'opencode', title: 'OpenCode', module: 'opencode-linux-x64' },
    asks: ['/@opencode-ai%2fplugin'],
    args: [],
  }),
  lacks,
  // Its agents always run while it waits.
  expected: { ...expected, orchestrator: [...DELEGATES, ran('helped.txt', 'which works')] },
}

export const kilo: DialectProgram = {
  agent: agentOf({
    ...{ host: 'kilo', title: 'Kilo', module: '@kilocode/cli-linux-x64' },
    asks: ['/@kilocode%2fplugin', '/api/openrouter/models'],
    args: ['--auto'],
  }),
  lacks,
  expected,
}
