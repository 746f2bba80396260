import { spawn } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bad, good, type Result } from '../errors.ts'
import type { Home } from '../world/home.ts'
import { orderDaemon } from './client.ts'
import { prepareRunFolder, STARTING, STARTING_MAX_MS } from './run-folder.ts'

const ANSWER_MAX_MS = 1_000
const POLL_MS = 25

/** A daemon that answers, started if there is none. The result is its own word about itself. */
export async function ensureDaemon(home: Home, daemon: string, waitMs: number): Promise<Result<string>> {
  const endMs = Date.now() + waitMs
  for (;;) {
    const status = await orderDaemon(home.run, '#status', ANSWER_MAX_MS)
    if (status !== undefined) return good(status.stdout)
    const begun = beginDaemon(home, daemon)
    if (!begun.ok) return begun
    if (Date.now() >= endMs) return bad('DAEMON_SILENT', 'The daemon was started and does not answer.')
    await sleep(POLL_MS)
  }
}

/** Starts one, unless somebody just did. It belongs to nobody: no terminal, no inherited files, no variables. */
function beginDaemon(home: Home, daemon: string): Result<void> {
  const prepared = prepareRunFolder(home.run)
  if (!prepared.ok || !mayStart(join(home.run, STARTING))) return prepared
  spawn(process.execPath, [daemon, '--home', home.folder], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
    .on('error', () => {})
    .unref()
  return good(undefined)
}

/** Whoever creates the file starts the daemon, which removes it. One left behind counts for ten seconds. */
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
