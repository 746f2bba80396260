import type { Note } from '../../../../core/decision.ts'
import { toolOf } from '../../../../core/event.ts'
import type { EventExample, Guard } from '../../../../core/guard.ts'
import { IGNORE_FILE, sessionPath } from '../../../metrics/places.ts'
import { metricOf } from './metric-of.ts'

/** Records the metrics of every finished call, agent and turn. It stops nothing and prints nothing. */
export const collect: Guard = {
  id: 'collective/metrics/collect',
  title: 'Work without metrics',
  why: 'Only recorded metrics show whether routing, tests and agents work as intended.',
  instead: 'no action is needed. The metrics are written to `.claude-collective/metrics`.',
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
  readsDelivery: true,
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
    const line: Note = { kind: 'append', path: sessionPath(event.session), json: { ...metric } }
    // Once per turn is enough. It must happen before the first test runs, because a changed working tree is tested
    // again.
    const ignore: readonly Note[] = toolOf(event) === undefined ? [{ kind: 'create', ...IGNORE_FILE }] : []
    return { effect: 'pass', notes: [...ignore, line] }
  },
}

function after(tool: string, input: object, more: object): EventExample {
  return { kind: 'PostToolUse', fields: { ...call(tool, input), durationMs: 12, ...more } }
}

function call(tool: string, input: object) {
  return { tool: { name: tool, input, useId: 'call-1' }, interrupted: false } as EventExample['fields']
}
