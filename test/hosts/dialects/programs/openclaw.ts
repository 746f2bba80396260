import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Act, type Agent, MODULES, type Places, surroundings, versionOf } from '../../agents.ts'
import { notRan, notTold, recorded, told } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse, type Wire } from '../../models/model.ts'
import { after, delegates } from '../episodes.ts'
import { type DialectProgram, NEWER_NODE, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = 'openclaw'

/** An answer that a gate sends back is not in the next request: what the gate says is there instead. */
const wire: Wire = {
  ...chat,
  read(path, body) {
    const asked = chat.read(path, body)
    if (asked === undefined) return undefined
    const revised = JSON.stringify(body).includes(REVISED)
    return revised ? { ...asked, step: asked.step + 1 } : asked
  },
}

const REVISED = 'Before accepting the previous final answer'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'openclaw',
  get title() {
    return `OpenClaw ${versionOf(MODULE)}`
  },
  wire,
  command: 'openclaw',
  program: [
    NEWER_NODE,
    join(import.meta.dirname, 'openclaw-start.mjs'),
    join(MODULES, MODULE, 'openclaw.mjs'),
  ],
  files: (places, model) => ({
    [join(places.home, '.openclaw', 'openclaw.json')]: JSON.stringify(configOf(places, model), null, 2),
  }),
  environment: (places, model) => ({
    ...surroundings(places, model),
    HOLDPOINT_OF_TEST: places.holdpoint,
    // What it compiles at one start, it need not compile at the next one.
    NODE_COMPILE_CACHE: join(tmpdir(), 'holdpoint-openclaw-compiled'),
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  }),
  args: (prompt, { delegates, anew }) => [
    ...(delegates === true ? ['--gateway', 'agent'] : ['agent', '--local']),
    ...(anew === true ? ['--session-id', randomUUID()] : ['--agent', 'main']),
    ...['--json', '--message', prompt],
  ],
  turns: oneTurn(used),
  scratch: [
    '.openclaw/agents',
    '.openclaw/state',
    '.openclaw/tmp',
    '.openclaw/plugin-skills',
    '.openclaw/logs',
  ],
}

function configOf({ project, temporary }: Places, model: string): object {
  const price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const scripted = {
    ...{ id: 'scripted', name: 'Scripted', contextWindow: 100_000, maxTokens: 4_000 },
    ...{ input: ['text'], reasoning: false, cost: price },
  }
  const provider = {
    baseUrl: `${model}/v1`,
    apiKey: 'sk-test',
    api: 'openai-completions',
    models: [scripted],
  }
  return {
    models: { providers: { scripted: provider } },
    agents: {
      defaults: { model: { primary: 'scripted/scripted' }, workspace: project, skipBootstrap: true },
    },
    tools: { exec: { host: 'gateway', security: 'full', ask: 'off' } },
    gateway: { mode: 'local', auth: { mode: 'token', token: 'test' } },
    logging: { file: join(temporary, 'openclaw.log') },
    update: { checkOnStart: false },
  }
}

function used(act: Act): ToolUse {
  if ('shell' in act) return { name: 'exec', input: { command: act.shell } }
  if ('write' in act) return { name: 'write', input: { path: act.write, content: act.text } }
  if ('delegate' in act) {
    const args = { task: `Play ${markOf(act.delegate)}.` }
    return { name: 'tool_call', input: { id: 'sessions_spawn', args } }
  }
  if ('skill' in act) return { name: 'read', input: { path: `~/.agents/skills/${act.skill}/SKILL.md` } }
  throw new Error('OpenClaw has no such tool')
}

export const openclaw: DialectProgram = {
  agent,
  lacks: { stop: 'it goes on for a gate only if it has changed nothing yet' },
  expected: {
    ask: [
      notRan('ask.txt', 'not run'),
      told('Plugin approval unavailable', after('ask')),
      recorded({ effect: 'ask' }),
    ],
    orchestrator: delegates(),
  },
  afterCalls: {
    stop: [
      notTold('Write notes.txt first.', '**not held**'),
      recorded({ event: 'Stop', effect: 'deny', because: 'test/gate' }),
    ],
  },
}
