import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { homeLayout } from '../system/home.ts'
import { pretendPlatform } from '../system/platform/platform.testing.ts'
import { removeOldBuilds } from './own-copy.ts'

let folder: string
let home: ReturnType<typeof homeLayout>
let daemon: ChildProcess | undefined
let restore = () => {}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-builds-'))
  home = homeLayout(join(folder, 'home'), {})
  for (const build of ['old', 'older', 'new'])
    mkdirSync(join(home.runtime, build, 'dist'), { recursive: true })
  for (const build of ['old', 'older']) utimesSync(join(home.runtime, build), DAY_AGO, DAY_AGO)
  symlinkSync('new', join(home.runtime, 'current'))
})
afterEach(() => {
  restore()
  daemon?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const DAY_AGO = new Date(Date.now() - 24 * 60 * 60 * 1000)

/** A daemon that was started from this folder of the copies and does not react, as far as its words and its note go. */
async function startFrozen(copy: string): Promise<void> {
  const program = join(home.runtime, copy, 'dist', 'daemon.cjs')
  daemon = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', program], { stdio: 'ignore' })
  await once(daemon, 'spawn')
  mkdirSync(home.run, { recursive: true })
  writeFileSync(join(home.run, 'daemon.pid'), `${daemon.pid}\n`)
}

const left = () => ['new', 'old', 'older'].filter((build) => existsSync(join(home.runtime, build)))

describe.each<NodeJS.Platform>(process.platform === 'darwin' ? ['darwin'] : ['linux', 'darwin'])(
  'asked as on %s, of the builds that were replaced',
  (platform) => {
    beforeEach(() => {
      restore = pretendPlatform(platform)
    })

    it('all are deleted if no daemon runs', () => {
      removeOldBuilds(home)
      expect(left()).toEqual(['new'])
    })

    it('the one that a daemon runs from is kept', async () => {
      await startFrozen('old')
      removeOldBuilds(home)
      expect(left()).toEqual(['new', 'old'])
    })

    it('none is deleted while a daemon runs that was started by another current one', async () => {
      await startFrozen('current')
      utimesSync(join(home.run, 'daemon.pid'), DAY_AGO, DAY_AGO)
      removeOldBuilds(home)
      expect(left()).toEqual(['new', 'old', 'older'])
    })

    it('all are deleted beside a daemon of this one', async () => {
      await startFrozen('current')
      lutimesSync(join(home.runtime, 'current'), DAY_AGO, DAY_AGO)
      removeOldBuilds(home)
      expect(left()).toEqual(['new'])
    })
  },
)
