import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pausedNow, waiversOf } from '../core/exceptions.ts'
import { exceptionsFile, signException, writeExceptions } from '../system/exceptions.ts'
import { homeLayout } from '../system/home.ts'
import { PAUSE_MAX_MS, pauseFile, writePause } from '../system/pause.ts'
import { signerFor } from '../system/signer.testing.ts'
import { pinOf } from '../system/trust.ts'
import { addTrust, readTrust } from '../system/trust-file.ts'
import { compile } from './compile.ts'

let folder: string
const project = () => join(folder, 'project')
const home = () => ({
  ...homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') }),
  managedConfig: join(folder, 'etc', 'config.yaml'),
})
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-unsigned-')))
  mkdirSync(project())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const compiled = () => compile({ home: home(), project: project(), packs: [], lastGood: {} })
const told = async () =>
  (await compiled()).broken.filter(({ code }) => code === 'UNSIGNED_ENTRY').map(({ file }) => file)

function forge(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 })
}

const PUSH = 'safety/git/force-push'
const exception = () => ({
  ...{ code: 'aaaa-bbbb', act: 'f'.repeat(64), guard: PUSH, what: 'git push -f', addedMs: 1 },
  ...{ cwd: project(), project: project() },
})
const sinceMs = Date.now()
const endMs = sinceMs + PAUSE_MAX_MS
const window = { sinceMs, untilMs: endMs, packs: 'all' as const }
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

describe('a pause that no person signed', () => {
  const BY = { user: 'dev (1000)', terminal: '/dev/pts/1', atMs: 1, signature: 'AAAA' }
  it.each<[string, () => unknown]>([
    ['as 0.1.0 wrote it', () => ({ version: 1, ...window })],
    ['with an invented signature', () => ({ version: 2, ...window, by: BY })],
    ['with a signature that is no text', () => ({ version: 2, ...window, by: { ...BY, signature: 7 } })],
    [
      'with the signature of an exception',
      () => ({ ...window, by: signerFor(home()).sign('exception', []) }),
    ],
    [
      'with the signature of another home',
      () => {
        const other = { ...home(), folder: join(folder, 'other') }
        signerFor(home())
        return { ...window, by: signerFor(other).sign('pause', [sinceMs, endMs, 'all']) }
      },
    ],
    [
      'made longer after it was signed',
      () => {
        writePause(home(), { ...window, untilMs: sinceMs + 2 }, signerFor(home()))
        return { ...read(pauseFile(home())), untilMs: endMs }
      },
    ],
    [
      'made wider after it was signed',
      () => {
        writePause(home(), { ...window, packs: ['self'] }, signerFor(home()))
        return { ...read(pauseFile(home())), packs: 'all' }
      },
    ],
  ])('%s pauses nothing and is reported', async (_name, make) => {
    forge(pauseFile(home()), make())
    expect(pausedNow((await compiled()).plan.hooks, sinceMs + 3)).toBeUndefined()
    expect(await told()).toEqual([pauseFile(home())])
  })
})

describe('an exception that no person signed', () => {
  const excepted = async () =>
    (await compiled()).plan.hooks
      .filter(({ id }) => id === PUSH)
      .flatMap(({ run }) => (run.type === 'guard' ? waiversOf(run).exceptions : []))
  it.each<[string, () => unknown]>([
    ['as 0.1.0 wrote it', () => [exception()]],
    ['for another act than was signed', () => [{ ...signed(), act: 'e'.repeat(64) }]],
    ['for another project than was signed', () => [{ ...signed(), project: project(), cwd: '/srv/other' }]],
    ['without the end that was signed', () => [{ ...signed({ untilMs: 2 }), untilMs: undefined }]],
    ['made good for ever', () => [{ ...signed({ once: { session: 's', agent: 'main' } }), once: undefined }]],
    ['beside one that is signed', () => [signed(), exception()]],
  ])('%s does not count and is reported', async (name, make) => {
    forge(exceptionsFile(home()), { version: 2, exceptions: make() })
    expect((await excepted()).length).toBe(name.startsWith('beside') ? 1 : 0)
    expect(await told()).toEqual([exceptionsFile(home())])
  })

  function signed(more = {}) {
    return signException({ ...exception(), ...more }, signerFor(home()))
  }

  it('does not affect a signed exception', async () => {
    writeExceptions(home(), [signed()])
    expect((await excepted()).length).toBe(1)
    expect(await told()).toEqual([])
  })
})

describe('trust that no person signed', () => {
  const config = () => join(project(), '.holdpoint', 'config.yaml')
  const trusted = async () =>
    (await compiled()).plan.hooks.some(({ run, trusted }) => run.type === 'command' && trusted)
  beforeEach(() => {
    forge(config(), 'version: 1\nhooks: { PreToolUse: [ { run: "true" } ] }\n')
  })
  it.each<[string, () => unknown]>([
    ['as 0.1.0 wrote it', () => pinOf(config())],
    ['with an invented signature', () => ({ pin: pinOf(config()), ...signerFor(home()).sign('trust', []) })],
    ['signed for another file', () => entry('/srv/other', pinOf(config()))],
    ['signed for another content', () => ({ ...entry(config(), 'e'.repeat(64)), pin: pinOf(config()) })],
    ['of another kind', () => ({ pin: pinOf(config()), ...signerFor(home()).sign('pause', [config()]) })],
  ])('%s does not count and is reported', async (_name, make) => {
    forge(home().trust, { version: 2, files: { [config()]: make() } })
    expect(await trusted()).toBe(false)
    expect(await told()).toEqual([home().trust])
  })

  function entry(path: string, pin: string) {
    return { pin, ...signerFor(home()).sign('trust', [path, pin]) }
  }

  it('is reported only in its own project, and is removed when the file is written again', async () => {
    forge(home().trust, { version: 1, files: { '/srv/other/config.yaml': 'x' } })
    expect(await told()).toEqual([])
    addTrust(home(), new Map([[config(), pinOf(config())]]), signerFor(home()))
    expect(await trusted()).toBe(true)
    expect([...readTrust(home()).keys()]).toEqual([config()])
    expect(Object.keys(read(home().trust).files)).toEqual([config()])
  })

  it.each(['', '[]', '{"files":7}', '{"files":{"x":[]}}'])(
    'is not reported if the file contains %s',
    (text) => {
      forge(home().trust, text)
      expect([...readTrust(home())]).toEqual([])
    },
  )
})
