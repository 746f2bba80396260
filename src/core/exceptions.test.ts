import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from '../config/compile.ts'
import { exceptionsFile, type KeptException, signException, writeExceptions } from '../system/exceptions.ts'
import { homeLayout } from '../system/home.ts'
import { PAUSE_MAX_MS, type Pause, pauseFile, writePause } from '../system/pause.ts'
import { signerFor } from '../system/signer.testing.ts'
import { pausedNow, waiversOf } from './exceptions.ts'

let folder: string
const project = () => join(folder, 'project')
const home = () => ({
  ...homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') }),
  managedConfig: join(folder, 'managed.yaml'),
})

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-exceptions-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function except(exceptions: readonly KeptException[]): void {
  const signer = signerFor(home())
  writeExceptions(
    home(),
    exceptions.map((each) => signException(each, signer)),
  )
}

function pause(window: Pause): void {
  writePause(home(), window, signerFor(home()))
}

async function hooks() {
  return (await compile({ home: home(), project: project(), packs: [], lastGood: {} })).plan.hooks
}

async function leaveFor(guard: string) {
  const found = (await hooks()).find(({ id }) => id === guard)
  if (found === undefined) throw new Error(`no ${guard}`)
  return waiversOf(found.run)
}

const PUSH = 'safety/git/force-push'
const exception = (more: Partial<KeptException> = {}): KeptException => ({
  code: 'aaaa-bbbb',
  act: 'f'.repeat(64),
  guard: PUSH,
  what: 'git push -f',
  cwd: project(),
  project: project(),
  addedMs: 1,
  ...more,
})

describe('an exception made by the user', () => {
  it('is in the plan of its project, for its pack only', async () => {
    except([exception()])
    expect(await leaveFor(PUSH)).toMatchObject({ exceptions: [{ code: 'aaaa-bbbb', guard: PUSH }] })
    expect(await leaveFor('secrets/private-key')).toEqual({ exceptions: [], pausedUntilMs: 0 })
    except([exception({ project: '/srv/other' })])
    expect((await leaveFor(PUSH)).exceptions).toEqual([])
  })

  it('is stored in a file that only the user can write, and is ignored otherwise', async () => {
    except([exception()])
    expect(statSync(exceptionsFile(home())).mode & 0o777).toBe(0o600)
    chmodSync(exceptionsFile(home()), 0o666)
    expect((await leaveFor(PUSH)).exceptions).toEqual([])
  })

  it('is watched: a change of its file makes a new plan necessary', async () => {
    const { inputs } = await compile({ home: home(), project: project(), packs: [], lastGood: {} })
    expect(inputs).toEqual(expect.arrayContaining([exceptionsFile(home()), pauseFile(home())]))
  })

  it.each([
    '',
    '[]',
    '{"exceptions":7}',
    '{"exceptions":[7,{},{"code":"x"},{"code":"x","act":"y","guard":"z"}]}',
  ])('is ignored when the file contains %s', async (text) => {
    write('holdpoint/exceptions.json', text)
    expect((await leaveFor(PUSH)).exceptions).toEqual([])
  })

  it('does not weaken managed policy, even if another layer is stricter', async () => {
    write('managed.yaml', 'version: 1\npacks: { safety: { guards: { safety/git/force-push: ask } } }\n')
    write('holdpoint/config.yaml', 'version: 1\npacks: { safety: true }\n')
    except([exception()])
    pause({ sinceMs: 1, untilMs: 1_000, packs: 'all' })
    expect(await leaveFor(PUSH)).toEqual({ exceptions: [], pausedUntilMs: 0 })
  })

  it('cannot be written into a configuration file', async () => {
    const own = `{ holdpoint: { exceptions: [${JSON.stringify(exception())}], pausedUntilMs: 9e15 } }`
    write('holdpoint/config.yaml', `version: 1\npacks: { safety: ${own} }\n`)
    expect(await leaveFor(PUSH)).toEqual({ exceptions: [], pausedUntilMs: 0 })
  })
})

describe('a pause', () => {
  const SELF = 'version: 1\npacks: { safety: true, self: true }\n'

  it('applies to the named packs, until its end', async () => {
    write('holdpoint/config.yaml', SELF)
    pause({ sinceMs: 1, untilMs: 1_000, packs: ['self'] })
    expect((await leaveFor('self/agent-config')).pausedUntilMs).toBe(1_000)
    expect((await leaveFor(PUSH)).pausedUntilMs).toBe(0)
    expect(pausedNow(await hooks(), 999)).toEqual({ packs: ['self'], untilMs: 1_000 })
    expect(pausedNow(await hooks(), 1_000)).toBeUndefined()
  })

  it('of all packs applies to every pack', async () => {
    write('holdpoint/config.yaml', SELF)
    pause({ sinceMs: 1, untilMs: 1_000, packs: 'all' })
    expect(pausedNow(await hooks(), 1)?.packs.toSorted()).toEqual(['safety', 'self'])
  })

  it('is ignored if it is longer than allowed, or ends before it began', async () => {
    for (const untilMs of [PAUSE_MAX_MS + 2, 1, 0]) {
      pause({ sinceMs: 1, untilMs, packs: 'all' })
      expect(pausedNow(await hooks(), 0)).toBeUndefined()
    }
  })
})
