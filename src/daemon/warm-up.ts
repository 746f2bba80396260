import { setImmediate as nextTurn } from 'node:timers/promises'
import { createResponder, type HookRequest } from '../app/responder.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { homeLayout } from '../system/home.ts'

/** The most common calls, and the most commonly denied ones. None of them is run, saved or recorded. */
const COMMANDS = [
  'ls -la src',
  'git status --short && git diff --stat',
  'npm run build && npm test 2>&1 | tail -20',
  'cat package.json | head -40',
  'rg -n "export function" src --type ts',
  'cd packages/app && node scripts/check.mjs --all',
  'git commit -m "Say why" && git push origin main',
  'mkdir -p build/out && cp -r assets build/out/ && rm -rf build/tmp',
  'for f in src/*.ts; do wc -l "$f"; done',
  'python3 -c "print(1)" > out.txt',
  'git push --force origin main',
  'cat .env',
]

/** Enough for the JavaScript engine to compile the code of a call. */
const EVENTS = 1_500
/** On a slow machine the warm-up ends here, and real calls do that work. */
const LASTS_MAX_MS = 3_000

/**
 * Evaluates made-up events until the code is fast: the first thousand calls of a new process take three times
 * as long as later ones. One event for each turn of the event loop, so that a real event waits for at most
 * one. Only built-in guards are used: configured programs must not get events that did not happen.
 */
export async function warmUp(now: () => number): Promise<void> {
  const home = { ...homeLayout(NOWHERE, { HOME: '/' }), managedConfig: NOWHERE }
  const responder = createResponder({ home, state: createMemoryState(), now, packs: [] })
  const endMs = now() + LASTS_MAX_MS
  for (let i = 0; i < EVENTS && now() < endMs; i += 1) {
    await responder.respond(requestOf(i))
    await nextTurn()
  }
}

/**
 * Delayed, because the process that started the daemon is waiting for its own answer on the same processors.
 */
const WARM_UP_AFTER_MS = 2_000

/** Returns a function that says whether the warm-up is over. */
export function warmUpLater(now: () => number, log: (line: string) => void): () => boolean {
  let isWarm = false
  const timer = setTimeout(async () => {
    await warmUp(now).catch((error) => log(`no warm-up: ${String(error)}`))
    isWarm = true
  }, WARM_UP_AFTER_MS)
  timer.unref()
  return () => isWarm
}

/** A folder that cannot exist: nothing is read or written there. */
const NOWHERE = '/dev/null/holdpoint'

function requestOf(i: number): HookRequest {
  const isShell = i % 4 !== 3
  const command = COMMANDS[i % COMMANDS.length] ?? ''
  const payload = {
    session_id: `warm-up-${i % 5}`,
    cwd: '/',
    hook_event_name: i % 5 === 4 ? 'PostToolUse' : 'PreToolUse',
    tool_name: isShell ? 'Bash' : 'Read',
    tool_use_id: `warm-up-${i}`,
    tool_input: isShell ? { command } : { file_path: `/srv/app/src/file-${i % 7}.ts` },
    tool_response: '',
  }
  return {
    host: 'claude-code',
    payload: JSON.stringify(payload),
    cwd: '/',
    env: { HOME: '/', CLAUDE_PROJECT_DIR: NOWHERE, PATH: '/usr/bin:/bin' },
    skills: [],
    onFailure: 'deny',
    deadlineMs: 28_000,
  }
}
