import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive } from './alive.ts'
import { pretendPlatform } from './platform.testing.ts'
import { processAndParents, processState, wordsOfProcess } from './processes.ts'

/** `ps` of Linux prints the same columns; what Apple's prints differently is in ps.test.ts. */
const BOTH: readonly NodeJS.Platform[] = ['linux', 'darwin']
const hasPs = process.platform === 'linux' || process.platform === 'darwin'

let restore = () => {}
let child: ChildProcess | undefined
afterEach(() => {
  restore()
  child?.kill('SIGKILL')
})

/** A process with a marked command line. */
async function start(): Promise<number> {
  child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000) // marked text'], { stdio: 'ignore' })
  await once(child, 'spawn')
  return child.pid ?? 0
}

describe.runIf(hasPs).each(BOTH.filter((each) => each === process.platform || each === 'darwin'))(
  'processes, asked as on %s',
  (platform) => {
    it('show their words, until they have ended', async () => {
      const pid = await start()
      restore = pretendPlatform(platform)
      expect(wordsOfProcess(pid)).toContain('marked text')
      expect(isAlive(pid)).toBe(true)
      expect(processState(pid)).toMatch(/^[RSD]$/)
      child?.kill('SIGKILL')
      await once(child as ChildProcess, 'exit')
      expect(wordsOfProcess(pid)).toBe('')
      expect(processState(pid)).toBeUndefined()
      expect(isAlive(pid)).toBe(false)
    })

    it('show that they were stopped', async () => {
      const pid = await start()
      restore = pretendPlatform(platform)
      child?.kill('SIGSTOP')
      await expect.poll(() => processState(pid)).toBe('T')
      expect(wordsOfProcess(pid)).toContain('marked text')
    })

    it('show their parents, nearest first', () => {
      restore = pretendPlatform(platform)
      const [own, parent] = processAndParents(process.pid) ?? []
      expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, user: process.getuid?.() })
      expect(own?.words.join(' ')).toContain('node')
      expect(parent?.pid).toBe(process.ppid)
    })
  },
)

it('a process that is not there shows nothing', () => {
  expect(processAndParents(2 ** 30)).toBeUndefined()
})
