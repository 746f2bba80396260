import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { built, moduleUrl } from './installation.ts'

/** The built watchdog thread, with a main thread that hangs: the process ends, so its callers decide by themselves. */

let run: string
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'holdpoint-watchdog-'))
})
afterEach(() => rmSync(run, { recursive: true }))

function exitOf(code: string): Promise<readonly [code: number | null, signal: string | null]> {
  const program = `
    import { startWatchdog } from ${JSON.stringify(moduleUrl('daemon/watchdog.js'))}
    const watchdog = startWatchdog(${JSON.stringify(built('watchdog'))}, ${JSON.stringify(run)})
    await new Promise((resolve) => setTimeout(resolve, 300))
    watchdog.begin()
    ${code}
    watchdog.end()
    await watchdog.stop()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve([code, signal])))
}

it('the watchdog ends a process whose main thread is in an endless loop, and logs it', async () => {
  expect(await exitOf('for (;;) {}')).toEqual([null, 'SIGKILL'])
  expect(readFileSync(join(run, 'daemon.log'), 'utf8')).toContain('does not answer')
})

it('the watchdog does not end a process that only waits', async () => {
  expect(await exitOf('await new Promise((resolve) => setTimeout(resolve, 4_500))')).toEqual([0, null])
})
