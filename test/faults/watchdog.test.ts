import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DIST } from './station.ts'

/** The built watching thread over a thread that hangs: whoever waits for it sees the end, and judges for himself. */

let run: string
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'holdpoint-watchdog-'))
})
afterEach(() => rmSync(run, { recursive: true }))

function ends(doing: string): Promise<readonly [code: number | null, signal: string | null]> {
  const program = `
    import { startWatchdog } from ${JSON.stringify(pathToFileURL(join(DIST, 'src', 'daemon', 'watchdog.js')).href)}
    const watchdog = startWatchdog(${JSON.stringify(join(DIST, 'watchdog.cjs'))}, ${JSON.stringify(run)})
    await new Promise((resolve) => setTimeout(resolve, 300))
    watchdog.begin()
    ${doing}
    watchdog.end()
    await watchdog.stop()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve([code, signal])))
}

it('ends a process whose judging thread spins, and says so in the log', async () => {
  expect(await ends('for (;;) {}')).toEqual([null, 'SIGKILL'])
  expect(readFileSync(join(run, 'daemon.log'), 'utf8')).toContain('does not answer')
})

it('leaves one alone that only waits', async () => {
  expect(await ends('await new Promise((resolve) => setTimeout(resolve, 4_500))')).toEqual([0, null])
})
