import type { Json } from '../../json.ts'
import { judgePolling } from '../../orchestrator/polling.ts'
import type { EventExample, Guard } from '../guard.ts'

/** An orchestrator that asks the same again waits with its eyes open: it is told to go on, or to end its turn. */
export const polling: Guard = {
  id: 'mux/polling',
  title: 'An orchestrator that polls',
  why: 'Background agents report by themselves; asking again and again only fills the context.',
  instead: 'go on with other work, or end the turn: you are told when an agent is done.',
  on: ['PreToolUse'],
  match: 'Bash|PowerShell|Monitor',
  skill: 'mux',
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
    ],
  },
  check: (input) => judgePolling(KEY, input),
}

const KEY = 'mux/commands'

/** What is remembered of `holdpoint mux verify tmp/mux/x`, ten minutes ago. */
function VERIFY(): readonly Json[] {
  return [{ mark: '61ae7170b8fb24d4', atMs: 1_768_477_800_000 }]
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
