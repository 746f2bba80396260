import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type Home, homeLayout } from '../system/home.ts'
import type { Dispatcher } from './dispatcher.ts'
import { type DaemonRequest, encodeRequest } from './protocol.ts'
import { OCCASIONS, SAMPLE_CALLS, type SampleCall } from './warm-up-calls.ts'

/** Enough for the JavaScript engine to compile the code of a call. */
const EVENTS = 4_000
/** On a slow machine the warm-up ends here, and real calls do that work. */
const LASTS_MAX_MS = 6_000
/** Delayed, because the process that started the daemon is waiting for its own answer on the same processors. */
const BEGINS_AFTER_MS = 2_000
const FOLDER_PREFIX = 'holdpoint-warm-up-'
/** No warm-up lasts that long: a folder that old is of a daemon that was killed. */
const LEFT_BEHIND_MS = 60_000

/**
 * From now on code is optimized after a seventh of the usual runs, so that the warm-up ends with code that is fast. Later
 * versions of V8 have no such flag, and one more compiler, which takes less time.
 */
export function optimizeSoon(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=10000')
}

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
    removeLeftBehind()
    const made = mkdtempSync(join(tmpdir(), FOLDER_PREFIX))
    try {
      makeProjects(made)
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
    isOwnCall: (argv) => folder !== undefined && isHomeIn(folder, argv[2]),
    at: (home) =>
      folder !== undefined && isHomeIn(folder, home.folder)
        ? homeLayout(home.folder, { HOME: home.user }, join(folder, 'no-managed-config.yaml'))
        : home,
    begin,
    beginLater(answer, log) {
      const start = () => begin(answer).catch((error) => log(`no warm-up: ${String(error)}`))
      setTimeout(start, BEGINS_AFTER_MS).unref()
    },
  }
}

function removeLeftBehind(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const path = join(tmpdir(), name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    if (Date.now() - found.mtimeMs > LEFT_BEHIND_MS) rmSync(path, { recursive: true, force: true })
  }
}

/** Two homes, because code that has run with one alone is compiled for the functions that were made for that one. */
const HOMES = ['home', 'second-home'] as const

function isHomeIn(folder: string, path: string | undefined): boolean {
  return HOMES.some((name) => join(folder, name) === path)
}

/**
 * Several projects, because code that has seen the objects of one plan only is thrown away when the objects of another one
 * come. They have the files that agents and guards usually read.
 */
const PROJECTS: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  ['plain', { 'README.md': '# Plain\n', '.git/HEAD': 'ref: refs/heads/main\n' }],
  [
    'node',
    {
      '.git/HEAD': 'ref: refs/heads/topic\n',
      '.holdpoint/config.yaml': 'version: 1\npacks: { safety: true, secrets: true, self: true }\n',
      'package.json': '{ "scripts": { "build": "tsc -p .", "test": "vitest run" } }\n',
      'lib/edited.ts': 'export const edited = 1\n',
    },
  ],
  [
    'strict',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.holdpoint/config.yaml':
        'version: 1\npacks: { safety: strict }\nrules:\n  - { id: no-publish, match: Bash, when: { shell: { command: npm, argument: publish } }, deny: No. }\n',
      Makefile: 'check:\n\tnpm test\n',
    },
  ],
]

function makeProjects(folder: string): void {
  for (const [name, files] of PROJECTS) {
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
}

function requestOf(i: number, folder: string): DaemonRequest {
  const [name] = PROJECTS[i % PROJECTS.length] as (typeof PROJECTS)[number]
  const project = join(folder, name)
  const { event, payload, number } = eventOf(i)
  const whole = {
    session_id: `warm-up-${i % 5}`,
    transcript_path: join(folder, 'transcript.jsonl'),
    cwd: project,
    permission_mode: 'default',
    hook_event_name: event,
    ...payload,
  }
  return {
    argv: ['claude-code', '--home', join(folder, i % 7 < 4 ? HOMES[0] : HOMES[1]), '--event', event],
    cwd: project,
    env: { HOME: folder, CLAUDE_PROJECT_DIR: project, PATH: '/usr/bin:/bin' },
    input: Buffer.from(JSON.stringify(whole).replaceAll('%', String(number))),
    elapsedMs: 0,
  }
}

interface MadeUp {
  readonly event: string
  readonly payload: object
  /** Makes the call a new one. */
  readonly number: number
}

/**
 * Most calls are new; every fourth event is a call that is repeated, every fourth one comes after its call has run, and
 * every twelfth one is no call.
 */
function eventOf(i: number): MadeUp {
  if (i % 12 === 8) {
    const [event, payload] = OCCASIONS[Math.floor(i / 12) % OCCASIONS.length] as (typeof OCCASIONS)[number]
    return { event, payload, number: i }
  }
  const [tool_name, tool_input] = SAMPLE_CALLS[Math.floor(i / 2) % SAMPLE_CALLS.length] as SampleCall
  const call = { tool_name, tool_input, tool_use_id: `warm-up-${i}` }
  if (i % 4 !== 1) return { event: 'PreToolUse', payload: call, number: i % 4 === 3 ? 0 : i }
  const tool_response = { stdout: `Line ${i}\nDone.`, stderr: '', interrupted: false }
  return { event: 'PostToolUse', payload: { ...call, tool_response }, number: i }
}
