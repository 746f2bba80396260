import type { EventExample, Guard } from '../../../core/guard.ts'
import { concernsPolling, judgePolling } from '../../mux/polling.ts'

/** Running the same command twice is polling in the older rules too. */
export const legacyPolling: Guard = {
  id: 'mux-legacy/polling',
  title: 'Orchestrator that polls (older rules)',
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
      { kind: 'Notification', fields: { message: 'An agent is done', notification: 'agent_completed' } },
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
