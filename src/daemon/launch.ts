import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bad, good, type Result } from '../core/errors.ts'
import type { Home } from '../system/home.ts'
import { startCommand } from '../system/runtime.ts'
import { controlDaemon } from './client.ts'
import { prepareRunFolder, STARTING, STARTING_MAX_MS } from './run-folder.ts'

const ANSWER_MAX_MS = 1_000
const POLL_MS = 25

/** Returns the status of a daemon that answers, and starts one if there is none. */
export async function ensureDaemon(home: Home, waitMs: number): Promise<Result<string>> {
  const endMs = Date.now() + waitMs
  for (;;) {
    const status = await controlDaemon(home.run, '#status', ANSWER_MAX_MS)
    if (status !== undefined) return good(status.stdout)
    const begun = launchDaemon(home)
    if (!begun.ok) return begun
    if (Date.now() >= endMs) return bad('DAEMON_SILENT', 'The daemon was started, but it does not answer.')
    await sleep(POLL_MS)
  }
}

/**
 * Starts a daemon, unless another process just did. It is detached: no terminal, no inherited files, no
 * variables.
 */
function launchDaemon(home: Home): Result<void> {
  const prepared = prepareRunFolder(home.run)
  if (!prepared.ok || !mayStart(join(home.run, STARTING))) return prepared
  const [file, ...args] = startCommand(home, 'daemon')
  spawn(file, [...args, '--home', home.folder], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
    .on('error', () => {})
    .unref()
  return good(undefined)
}

/**
 * The process that creates the file starts the daemon, which removes the file. A file that was left behind
 * counts for ten seconds.
 */
function mayStart(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && Date.now() - found.mtimeMs > STARTING_MAX_MS) rmSync(path, { force: true })
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch {
    return false
  }
}
