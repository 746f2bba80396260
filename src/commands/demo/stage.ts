import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HoldpointError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { ensureDaemon } from '../../daemon/launch.ts'
import { openJournal } from '../../storage/journal/journal.ts'
import type { StoredRecord } from '../../storage/journal/store.ts'
import { homeLayout } from '../../system/home.ts'
import { type Started, startProgram } from '../../system/start-program.ts'
import type { Caller } from '../caller.ts'
import { stopDaemon } from '../daemon.ts'
import { installOwnCopy } from '../own-copy.ts'

/** A temporary folder with Holdpoint installed in it and a project to guard. */
export interface DemoStage {
  readonly project: string
  /** In the same way as `init`. */
  install(): 'native' | 'node'
  /** How long the start took, or why there is no daemon: hooks answer without it. */
  startDaemon(): Promise<number | string>
  /** In the same way as Claude Code calls it. */
  call(payload: JsonObject): Promise<Timed>
  /** A program that does nothing, started in the same way; undefined if the system has none. */
  startTrue(): Promise<number | undefined>
  /** Stops the daemon first, so that everything is in the journal. */
  records(session: string): Promise<{ readonly records: readonly StoredRecord[]; readonly isIntact: boolean }>
  remove(): Promise<void>
}

export interface Timed extends Started {
  readonly tookMs: number
}

const START_MAX_MS = 10_000
const CALL_MAX_MS = 30_000
/** macOS has it in another folder. */
export const TRUE = ['/bin/true', '/usr/bin/true'].find((file) => existsSync(file)) ?? ''

export function createStage(caller: Caller, config: string): DemoStage {
  const folder = onDisk(() => realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-demo-'))))
  const project = join(folder, 'project')
  const home = homeLayout(join(folder, 'home'), caller.env)
  const options = {
    cwd: project,
    env: { PATH: caller.env.PATH, HOME: '/home/dev', CLAUDE_PROJECT_DIR: project },
    timeoutMs: CALL_MAX_MS,
  }
  const timed = async (file: string, args: readonly string[], input: string): Promise<Timed> => {
    const startedMs = performance.now()
    const started = await startProgram(file, args, { ...options, input })
    return { ...started, tookMs: performance.now() - startedMs }
  }

  return {
    project,
    install: () =>
      onDisk(() => {
        mkdirSync(join(project, '.holdpoint'), { recursive: true })
        writeFileSync(join(project, '.holdpoint', 'config.yaml'), config)
        return installOwnCopy(home).client
      }),
    async startDaemon() {
      const startedMs = performance.now()
      const started = await ensureDaemon(home, START_MAX_MS)
      return started.ok ? performance.now() - startedMs : started.problem.message
    },
    call: (payload) =>
      timed(home.hookProgram, ['claude-code', '--home', home.folder], JSON.stringify(payload)),
    async startTrue() {
      return TRUE === '' ? undefined : (await timed(TRUE, [], '')).tookMs
    },
    async records(session) {
      await stopDaemon(home)
      const journal = await openJournal(home.journal)
      try {
        journal.importSpool()
        return { records: [...journal.store.read({ session })], isIntact: journal.store.verify().ok }
      } finally {
        journal.store.close()
      }
    },
    async remove() {
      await stopDaemon(home)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The error of the disk, and how to fix it. */
function onDisk<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const why = error instanceof HoldpointError ? error.problem.message : String(error)
    throw new HoldpointError({
      code: 'STATE_UNWRITABLE',
      message: `The demo cannot be set up in ${tmpdir()}: ${why}`,
      fix: 'Set TMPDIR to a folder with 50 MB of free space, for example: TMPDIR=$PWD npx holdpoint demo',
    })
  }
}
