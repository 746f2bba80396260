import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The calls of one session, as coding agents make them: about half are commands, then files that are read and changed, and
 * searches. Each is sent in turn, so none is favoured, and none is a call of the daemon's warm-up. `@@@@@@@@` becomes
 * a number that was never used before: the call is new. Without it, agents repeat the call.
 */
/** @type {readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[]} */
const CALLS = [
  ['Bash', { command: 'git status --short --branch' }],
  ['Read', { file_path: 'src/server/routes@@@@@@@@.ts' }],
  ['Grep', { pattern: 'handleRequest@@@@@@@@', path: 'src', output_mode: 'content' }],
  ['Bash', { command: 'npm test -- --run src/server/routes@@@@@@@@.test.ts 2>&1 | tail -30' }],
  ['Read', { file_path: 'src/server/routes@@@@@@@@.test.ts', limit: 80 }],
  [
    'Edit',
    { file_path: 'src/server/routes.ts', old_string: 'const a = @@@@@@@@', new_string: 'const a = 2' },
  ],
  ['Bash', { command: 'npx tsc --noEmit -p tsconfig@@@@@@@@.json' }],
  ['Glob', { pattern: 'src/**/*@@@@@@@@.ts' }],
  ['Bash', { command: 'git diff --stat HEAD~1 -- src/part@@@@@@@@ && git log --oneline -5' }],
  ['Read', { file_path: 'package.json', offset: 1 }],
  ['Bash', { command: 'ls -la src/server@@@@@@@@ | head -20' }],
  ['Bash', { command: "sed -n '1,80p' src/server/part@@@@@@@@.ts" }],
  ['Edit', { file_path: 'README.md', old_string: 'Part @@@@@@@@', new_string: 'Part two' }],
  ['Bash', { command: 'cd packages/app && npm run build -- --out ../../build/@@@@@@@@' }],
  ['Bash', { command: 'node scripts/check.mjs --only @@@@@@@@ > /tmp/check.log; tail -5 /tmp/check.log' }],
  ['Bash', { command: 'git add -A && git commit -m "server: routes @@@@@@@@"' }],
]

/** @typedef {import('./installation.mjs').Installation} Installation */

/**
 * @typedef {object} HookEvent
 * @property {string} session_id
 * @property {string} hook_event_name
 * @property {string} [tool_name]
 * @property {Readonly<Record<string, unknown>>} [tool_input]
 */

/**
 * Only the calls before they run, as `time` reads them.
 * @param {Installation} installation
 * @param {{ readonly areNew: boolean }} options
 */
export function callEvents(installation, { areNew }) {
  return CALLS.map(([tool, input]) => {
    const text = JSON.stringify(input)
    return installation.call(tool, JSON.parse(areNew ? text : text.replaceAll(NUMBER, '1')))
  }).join('\0')
}

/**
 * Every event of two sessions, in the order in which hooks get them: one that was recorded from Claude Code
 * (demo/session.jsonl), and the calls above, each before and after it ran, between a prompt and a stop. All calls are new.
 * @param {Installation} installation
 */
export function sessionEvents(installation) {
  /** @type {HookEvent[]} */
  const recorded = readFileSync(join(import.meta.dirname, '..', '..', 'demo', 'session.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replaceAll('/tmp/project', installation.project)))
  const other = { ...recorded[0], session_id: 'session-0', permission_mode: 'default' }
  /** @type {(name: string, more: object) => HookEvent} */
  const about = (name, more) => ({ ...other, hook_event_name: name, ...more })
  const played = CALLS.flatMap(([tool_name, tool_input]) => [
    about('PreToolUse', { tool_name, tool_input }),
    about('PostToolUse', { tool_name, tool_input, tool_response: RESPONSE }),
  ])
  const prompt = about('UserPromptSubmit', { prompt: `Add the route ${NUMBER}, with a test.` })
  return [...recorded, prompt, ...played, about('Stop', { stop_hook_active: false })].map(asNew)
}

const NUMBER = '@@@@@@@@'
const RESPONSE = { stdout: 'src/server/routes.ts\n1 file changed\n', stderr: '', interrupted: false }

/** @param {HookEvent} event */
function asNew(event) {
  if (event.tool_input === undefined) return event
  const description = `${event.tool_input.description ?? 'Go on'} ${NUMBER}`
  return { ...event, tool_use_id: `toolu_${NUMBER}`, tool_input: { ...event.tool_input, description } }
}

/**
 * The mix, for the note: how many events of each kind.
 * @param {readonly HookEvent[]} events
 */
export function mixOf(events) {
  const counts = new Map()
  for (const { hook_event_name: name, tool_name: tool } of events) {
    const kind = tool === 'Bash' && name === 'PreToolUse' ? 'PreToolUse of a command' : name
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}
