import { judgePolling } from '../../orchestrator/polling.ts'
import type { EventExample, Guard } from '../guard.ts'

/** The same command twice is polling, in the older rules too. */
export const polling: Guard = {
  id: 'mux-legacy/polling',
  title: 'An orchestrator that polls (older rules)',
  why: 'Background agents report by themselves; asking again and again only fills the context.',
  instead: 'go on with other work, or end the turn: you are told when an agent is done.',
  on: ['PreToolUse'],
  match: 'Bash|PowerShell|Monitor',
  skill: 'mux',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      again('uv run tools/verify.py'),
      again(' uv  run tools/verify.py '),
      again('uv run ./tools/verify.py'),
      again('uv run "tools/verify.py"'),
      again("'uv' run tools/verify.py # once more"),
      again('uv run tools/verify.py;'),
      again('uv run $HOME/../../srv/project/tools/verify.py', { polling: { commands: 1 } }),
      again('until ls; do sleep 1; done', { polling: { waiting: true } }),
      again('ls tmp/mux/x/signals', { polling: { lookups: true } }),
    ],
    passes: [
      again('uv run tools/session.py'),
      again('uv run tools/verify.py tmp/mux/x'),
      again('mkdir -p x'),
      again('ls'),
      again('ls tmp/mux/x/signals'),
      again('uv run tools/verify.py', { polling: false }),
      again('uv run tools/verify.py', { polling: { repeats: 2 } }),
      again('uv run tools/verify.py', { polling: { windowMinutes: 1 } }),
    ],
  },
  check: (input) => judgePolling('mux-legacy/commands', input),
}

/** After `uv run tools/verify.py`, ten minutes ago. */
function again(command: string, options = {}): EventExample {
  const memory = { 'mux-legacy/commands': [{ mark: MARK(), atMs: 1_768_477_800_000 }] }
  return { kind: 'PreToolUse', fields: { tool: { name: 'Bash', input: { command } } }, memory, options }
}

function MARK(): string {
  return '1b4e73c3a9b7031c'
}
