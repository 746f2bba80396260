import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Home, homeLayout } from '../system/home.ts'
import { installLock } from '../system/installs.ts'
import { allOrNothing } from './all-or-nothing.ts'
import { type Caller, processCaller } from './caller.ts'

let folder: string
let home: Home
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-all-or-nothing-'))
  home = homeLayout(join(folder, 'new', 'home'), {})
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A caller that gets a signal when the test says so, and keeps what is written to its standard error. */
function signalledCaller() {
  const said: string[] = []
  let listener: (signal: NodeJS.Signals) => void = () => {}
  const stderr = new PassThrough().on('data', (part) => said.push(String(part)))
  const caller: Caller = Object.create(processCaller(), {
    stderr: { value: stderr },
    onSignals: {
      value: (_signals: readonly NodeJS.Signals[], onSignal: typeof listener) => {
        listener = onSignal
        return () => {
          listener = () => {}
        }
      },
    },
    exit: {
      value: (code: number) => {
        throw new Error(`ended with ${code}`)
      },
    },
  })
  return { caller, said, send: (signal: NodeJS.Signals) => listener(signal) }
}

it('takes everything back at a signal, with the home and the lock that it made', async () => {
  const settings = join(folder, 'settings.json')
  writeFileSync(settings, 'before')
  const { caller, said, send } = signalledCaller()
  const ended = allOrNothing(caller, home, [settings], async () => {
    writeFileSync(settings, 'after')
    mkdirSync(join(home.folder, 'runtime'))
    send('SIGTERM')
  })
  await expect(ended).rejects.toThrow('ended with 143')
  expect(said.join('')).toBe('holdpoint: it was interrupted. Nothing was changed.\n')
  expect(readFileSync(settings, 'utf8')).toBe('before')
  expect(existsSync(join(folder, 'new'))).toBe(false)
})

it('hears a signal that came while it was busy writing', async () => {
  const file = join(folder, 'file')
  const { caller, said, send } = signalledCaller()
  const codes: number[] = []
  const ending: Caller = Object.create(caller, { exit: { value: (code: number) => void codes.push(code) } })
  await allOrNothing(ending, home, [file], async () => {
    writeFileSync(file, 'after')
    // The event loop finds it after everything that is waiting now.
    setImmediate(() => send('SIGTERM'))
  })
  expect([codes, said.join('')]).toEqual([[143], 'holdpoint: it was interrupted. Nothing was changed.\n'])
  expect(existsSync(file)).toBe(false)
})

it('removes what a killed process has left beside its files, and nothing else', async () => {
  const { caller } = signalledCaller()
  const { pid: gone } = spawnSync(process.execPath, ['-e', '0'])
  const names = [
    `file.${gone}.p410g8w0.tmp`,
    `file.${process.pid}.p410g8w0.tmp`,
    `other.${gone}.a.tmp`,
    'file.tmp',
  ]
  for (const name of names) writeFileSync(join(folder, name), 'half')
  await allOrNothing(caller, home, [join(folder, 'file')], async () => {})
  expect(readdirSync(folder).sort()).toEqual(names.slice(1).sort())
})

it('keeps what it wrote when it has ended: a later signal takes nothing back', async () => {
  const file = join(folder, 'file')
  const { caller, send } = signalledCaller()
  expect(await allOrNothing(caller, home, [file], async () => writeFileSync(file, 'after'))).toBe(undefined)
  send('SIGINT')
  expect(readFileSync(file, 'utf8')).toBe('after')
})

it('says at a signal while it tries what was written that all of it is there', async () => {
  const file = join(folder, 'file')
  const { caller, said, send } = signalledCaller()
  const write = async () => writeFileSync(file, 'after')
  const ended = allOrNothing(caller, home, [file], write, async () => send('SIGINT'))
  await expect(ended).rejects.toThrow('ended with 130')
  expect(said.join('')).toBe(
    'holdpoint: it was interrupted. Everything is written; `holdpoint doctor` tries it.\n',
  )
  expect(readFileSync(file, 'utf8')).toBe('after')
  expect(existsSync(installLock(home))).toBe(false)
})

it('says in the error of the part that failed that nothing was changed', async () => {
  const file = join(folder, 'file')
  const { caller } = signalledCaller()
  const failing = allOrNothing(caller, home, [file], async () => {
    writeFileSync(file, 'after')
    readFileSync(join(folder, 'missing'))
  })
  await expect(failing).rejects.toMatchObject({
    problem: { fix: expect.stringMatching(/Nothing was changed\.$/) },
  })
  expect(existsSync(file)).toBe(false)
})

it('runs one at a time in one home', async () => {
  const { caller } = signalledCaller()
  let running = 0
  let most = 0
  const one = () =>
    allOrNothing(Object.create(caller, { stdout: { value: new PassThrough() } }), home, [], async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
    })
  await Promise.all([one(), one(), one()])
  expect(most).toBe(1)
})
