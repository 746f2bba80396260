import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Home } from '../system/home.ts'
import type { Dispatcher } from './dispatcher.ts'
import { type DaemonRequest, encodeRequest } from './protocol.ts'

/** The most common calls, and the most commonly denied ones. None of them is run or kept. */
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
const EVENTS = 3_000
/** On a slow machine the warm-up ends here, and real calls do that work. */
const LASTS_MAX_MS = 4_000
/** Delayed, because the process that started the daemon is waiting for its own answer on the same processors. */
const BEGINS_AFTER_MS = 2_000

/** Calls that the daemon sends to itself. They are answered like all others, and not counted. */
export interface WarmUp {
  /** Whether these are the arguments of such a call. */
  isOwnCall(argv: readonly string[]): boolean
  /** Its home has no managed configuration: configured programs must not get events that did not happen. */
  at(home: Home): Home
  begin(answer: Dispatcher['answer']): Promise<void>
  beginLater(answer: Dispatcher['answer'], log: (line: string) => void): void
}

/**
 * Sends made-up events until the code is fast: the first thousands of calls of a new process take three times as long as
 * later ones. They take the same way as those of agents, through the same objects, because what is compiled for others is
 * of no use; one in each turn of the event loop, so that a real event waits for at most one. Their home and project are
 * in one folder, which is removed; not in the home of the user, who may be removing that.
 */
export function createWarmUp(now: () => number): WarmUp {
  let folder: string | undefined
  const begin: WarmUp['begin'] = async (answer) => {
    const made = mkdtempSync(join(tmpdir(), 'holdpoint-warm-up-'))
    try {
      mkdirSync(join(made, 'project', '.git'), { recursive: true })
      folder = made
      const endMs = now() + LASTS_MAX_MS
      for (let i = 0; i < EVENTS && now() < endMs; i += 1) {
        if ((await answer(encodeRequest(requestOf(i, made)))) === undefined) return
        await nextTurn()
      }
    } finally {
      // After the record of the last call.
      await nextTurn()
      rmSync(made, { recursive: true, force: true })
      folder = undefined
    }
  }
  return {
    isOwnCall: (argv) => folder !== undefined && argv[2] === homeIn(folder),
    at: (home) => (home.folder === (folder && homeIn(folder)) ? { ...home, managedConfig: NOWHERE } : home),
    begin,
    beginLater(answer, log) {
      const start = () => begin(answer).catch((error) => log(`no warm-up: ${String(error)}`))
      setTimeout(start, BEGINS_AFTER_MS).unref()
    },
  }
}

/** A folder that cannot exist: nothing is read there. */
const NOWHERE = '/dev/null/holdpoint'

function homeIn(folder: string): string {
  return join(folder, 'home')
}

/** Every second call is a new one; the others are repeated, as agents do. */
function requestOf(i: number, folder: string): DaemonRequest {
  const project = join(folder, 'project')
  const command = COMMANDS[i % COMMANDS.length] ?? ''
  const isShell = i % 4 !== 3
  const payload = {
    session_id: `warm-up-${i % 5}`,
    transcript_path: join(folder, 'transcript.jsonl'),
    cwd: project,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: isShell ? 'Bash' : 'Read',
    tool_input: isShell
      ? { command: i % 2 === 0 ? command : `${command} # ${i}`, description: 'Look around' }
      : { file_path: join(project, `src/file-${i % 7}.ts`) },
    tool_use_id: `warm-up-${i}`,
  }
  return {
    argv: ['claude-code', '--home', homeIn(folder), '--event', 'PreToolUse'],
    cwd: project,
    env: { HOME: folder, CLAUDE_PROJECT_DIR: project, PATH: '/usr/bin:/bin' },
    input: Buffer.from(JSON.stringify(payload)),
    elapsedMs: 0,
  }
}
