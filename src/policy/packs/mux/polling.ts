import type { EventExample, Guard } from '../../../core/guard.ts'
import type { Json } from '../../../core/json.ts'
import { concernsPolling, judgePolling } from '../../mux/polling.ts'

/**
 * An orchestrator that repeats the same question is only waiting. It is told to continue with other work or to end
 * its turn.
 */
export const polling: Guard = {
  id: 'mux/polling',
  title: 'Orchestrator that polls',
  why: 'Background agents report when they are done. Asking again although nothing was reported only fills the context.',
  instead: 'continue with other work, or end the turn. You are notified when an agent is done.',
  on: ['PreToolUse', 'UserPromptSubmit', 'Notification'],
  match: '*',
  skill: 'mux',
  knowsAgents: true,
  concerns: concernsPolling,
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x'),
      after(VERIFY(), '  holdpoint  mux verify "tmp/mux/x" '),
      after(VERIFY(), 'holdpoint mux verify ./tmp/mux/x'),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x/'),
      after(VERIFY(), 'holdpoint mux verify /srv/project/tmp/mux/x'),
      after(VERIFY(), 'holdpoint mux verify "$PWD/tmp/mux/x"'),
      after(VERIFY(), "holdpoint mux 'verify' tmp/mux/x # again"),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x', { polling: { repeats: 2 } }, 2),
      after([], 'sleep 30', { polling: { waiting: true } }),
      after([], 'until test -f a.done; do sleep 1; done', { polling: { waiting: true } }),
      after([], 'watch ls tmp', { polling: { waiting: true } }),
      after([], 'tail -f log', { polling: { waiting: true } }),
      after([], 'ls tmp/mux/x/.signals', { polling: { lookups: true } }),
      after([], 'find tmp/mux -path "*/signals/*"', { polling: { lookups: true } }),
      after([], 'bash -c "test -f tmp/mux/x/signals/a.done"', { polling: { lookups: true } }),
      after(VERIFY(), 'mkdir -p b', { polling: { commands: 1 } }),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x', { polling: { windowMinutes: 30 } }),
    ],
    passes: [
      after([], 'holdpoint mux verify tmp/mux/x'),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/y'),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x --json'),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x', { polling: false }),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x', { polling: { repeats: 2 } }),
      after(VERIFY(), 'holdpoint mux verify tmp/mux/x', { polling: { windowMinutes: 5 } }),
      after(VERIFY(), 'mkdir -p b', { polling: { commands: 2 } }),
      after([], 'holdpoint mux check-signals tmp/mux/x/.signals', {
        polling: { lookups: true, waiting: true },
      }),
      after([], 'mkdir -p tmp/mux/x/.signals', { polling: { lookups: true, waiting: true } }),
      after([], 'sleep 30'),
      after(VERIFY(), ''),
      after(VERIFY('before the last signal'), 'holdpoint mux verify tmp/mux/x'),
      { kind: 'Notification', fields: { message: 'An agent is done', notification: 'agent_completed' } },
      { kind: 'UserPromptSubmit', fields: { prompt: 'Look again' } },
    ],
  },
  check: (input) => judgePolling(KEY, input),
}

const KEY = 'mux/commands'

/** The remembered entry of `holdpoint mux verify tmp/mux/x`, ten minutes ago. */
function VERIFY(reported?: string): readonly Json[] {
  const entry = { mark: '61ae7170b8fb24d4', atMs: 1_768_477_800_000 }
  return [reported === undefined ? entry : { ...entry, reported }]
}

function after(past: readonly Json[], command: string, options = {}, times = 1): EventExample {
  const memory = { 'mux/commands': Array.from({ length: times }, () => past).flat() }
  return {
    kind: 'PreToolUse',
    fields: { tool: { name: 'Bash', input: { command }, useId: 'c' } },
    memory,
    options,
  }
}
