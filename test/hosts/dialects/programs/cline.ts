import { join } from 'node:path'
import { type Act, type Agent, MODULES, surroundings, versionOf } from '../../agents.ts'
import { notRan, notTold, ran, recorded, told } from '../../checks.ts'
import { chat } from '../../models/chat.ts'
import { markOf, type ToolUse } from '../../models/model.ts'
import { ASK_DENIED, after, delegates } from '../episodes.ts'
import { CANNOT_ASK, type DialectProgram, END_IS_SEEN, NOT_PLAYED, oneTurn } from '../program.ts'

const MODULE = '@cline/cli-linux-x64'

const agent: Agent = {
  ...NOT_PLAYED,
  host: 'cline',
  get title() {
    return `Cline ${versionOf(MODULE)}`
  },
  // It looks for feature flags of its vendor at every start.
  wire: { ...chat, aside: { ...chat.aside, 'CONNECT data.cline.bot:443': {} } },
  command: 'cline',
  program: [join(MODULES, MODULE, 'bin', 'cline')],
  files: ({ home }, model) => {
    const settings = join(home, '.cline', 'data', 'settings')
    return {
      [join(settings, 'global-settings.json')]: JSON.stringify({
        telemetryOptOut: true,
        autoUpdateEnabled: false,
      }),
      [join(settings, 'providers.json')]: JSON.stringify(providers(`${model}/v1`)),
    }
  },
  environment: (places, model) => ({
    ...surroundings(places, model),
    // In this process, without a hub that stays behind.
    CLINE_SESSION_BACKEND_MODE: 'local',
    // A busy machine is no reason to go on without plugins.
    CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '120000',
    NO_COLOR: '1',
  }),
  args: (prompt) => ['--json', '-P', PROVIDER, '-m', 'scripted', prompt],
  turns: oneTurn(used),
  scratch: ['.cline/data'],
}

const PROVIDER = 'openai-compatible'

function providers(baseUrl: string): object {
  const settings = { provider: PROVIDER, apiKey: 'sk-test', model: 'scripted', baseUrl }
  const updatedAt = '2026-11-16T00:00:00.000Z'
  return {
    ...{ version: 1, lastUsedProvider: PROVIDER, modes: {} },
    providers: { [PROVIDER]: { settings, updatedAt, tokenSource: 'manual' } },
  }
}

function used(act: Act): ToolUse {
  if ('shell' in act) return { name: 'run_commands', input: { commands: [act.shell] } }
  if ('write' in act) return { name: 'editor', input: { path: act.write, new_text: act.text } }
  if ('delegate' in act) {
    const task = `Play ${markOf(act.delegate)}.`
    return { name: 'spawn_agent', input: { systemPrompt: 'You help.', task } }
  }
  if ('skill' in act) return { name: 'skills', input: { skill: act.skill } }
  throw new Error('Cline has no such tool')
}

const NOT_HELD = '**not held**: the end is only seen'

export const cline: DialectProgram = {
  agent,
  lacks: { ask: CANNOT_ASK, stop: END_IS_SEEN },
  afterDaemon: true,
  expected: {
    ask: ASK_DENIED,
    edit: [
      notRan('.claude/settings.json', 'not written'),
      told("Changing an agent's hook configuration", after('edit')),
      recorded({ tool: 'Edit', effect: 'deny', because: 'self/agent-config' }),
    ],
    // Its agents always run while it waits.
    orchestrator: [...delegates('Edit'), ran('helped.txt', 'which works')],
    stop: [notTold('Write notes.txt first.', NOT_HELD)],
    subagentStop: [
      notTold('Write notes.txt first.', NOT_HELD),
      recorded({ event: 'SubagentStop', downgraded: 'deny to notice' }),
    ],
    contract: [notTold('report.md does not exist', NOT_HELD)],
    subagentContract: [notTold('notes.txt does not exist', NOT_HELD)],
  },
}
