import type { Note } from '../../../decision.ts'
import { toolOf } from '../../../event.ts'
import { IGNORE_FILE, sessionPath } from '../../../metrics/places.ts'
import type { EventExample, Guard } from '../../guard.ts'
import { metricOf } from './metric-of.ts'

/** Notes down what every finished call, agent and turn adds to the metrics. It stops nothing and says nothing. */
export const collect: Guard = {
  id: 'collective/metrics/collect',
  title: 'Work that leaves no figures behind',
  why: 'Whether routing, tests and agents do what they should can only be told from what they did.',
  instead: 'nothing: the figures are kept under `.claude-collective/metrics`.',
  on: [
    'SessionStart',
    'PostToolUse',
    'PostToolUseFailure',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'SessionEnd',
  ],
  match: '*',
  modes: { standard: 'warn', strict: 'warn', paranoid: 'warn' },
  onFailure: 'pass',
  examples: {
    stops: [],
    passes: [
      after('Bash', { command: 'npm test' }, { output: { stdout: 'Tests  3 passed (3)' } }),
      after('Read', { file_path: 'src/main.ts' }, { output: 'text' }),
      after('Agent', { subagent_type: 'unit-testing-agent' }, { output: { agentId: 'a1' } }),
      {
        kind: 'PostToolUseFailure',
        fields: { ...call('Bash', { command: 'exit 3' }), error: 'Exit code 3' },
      },
      { kind: 'SessionStart', fields: { source: 'startup' } },
      { kind: 'SubagentStart', fields: { agentId: 'a1', agentType: 'research-agent' } },
      { kind: 'SubagentStop', fields: { agentId: 'a1', agentType: 'research-agent', stopHookActive: false } },
      { kind: 'SubagentStop', fields: { stopHookActive: false } },
      { kind: 'Stop', fields: { stopHookActive: false } },
      { kind: 'SessionEnd', fields: { reason: 'exit' } },
    ],
  },
  check({ event, actor, facts, options }) {
    const metric = metricOf({ event, actor, facts, options })
    if (metric === undefined) return null
    const line: Note = { put: 'line', path: sessionPath(event.session), json: { ...metric } }
    // Once a turn is enough; and before the first test is run, because a tree that looks changed is tested again.
    const ignore: readonly Note[] = toolOf(event) === undefined ? [{ put: 'first', ...IGNORE_FILE }] : []
    return { effect: 'pass', notes: [...ignore, line] }
  },
}

function after(tool: string, input: object, more: object): EventExample {
  return { kind: 'PostToolUse', fields: { ...call(tool, input), durationMs: 12, ...more } }
}

function call(tool: string, input: object) {
  return { tool: { name: tool, input, useId: 'call-1' }, interrupted: false } as EventExample['fields']
}
