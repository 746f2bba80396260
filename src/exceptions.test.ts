import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { leaveOf, pausedNow } from './exceptions.ts'
import { exceptionsFile, type KeptException, writeExceptions } from './world/exceptions.ts'
import { homeLayout } from './world/home.ts'
import { PAUSE_MAX_MS, pauseFile, writePause } from './world/pause.ts'

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

async function hooks() {
  return (await compile({ home: home(), project: project(), packs: [], lastGood: {} })).plan.hooks
}

async function leaveFor(guard: string) {
  const found = (await hooks()).find(({ id }) => id === guard)
  if (found === undefined) throw new Error(`no ${guard}`)
  return leaveOf(found.run)
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

describe('what a person excepted', () => {
  it('is in the plan of its project, for its pack alone', async () => {
    writeExceptions(exceptionsFile(home()), [exception()])
    expect(await leaveFor(PUSH)).toMatchObject({ exceptions: [{ code: 'aaaa-bbbb', guard: PUSH }] })
    expect(await leaveFor('secrets/private-key')).toEqual({ exceptions: [], pausedUntilMs: 0 })
    writeExceptions(exceptionsFile(home()), [exception({ project: '/srv/other' })])
    expect((await leaveFor(PUSH)).exceptions).toEqual([])
  })

  it('is kept closed to others, and does not count where others could have written it', async () => {
    writeExceptions(exceptionsFile(home()), [exception()])
    expect(statSync(exceptionsFile(home())).mode & 0o777).toBe(0o600)
    chmodSync(exceptionsFile(home()), 0o666)
    expect((await leaveFor(PUSH)).exceptions).toEqual([])
  })

  it('is watched: a change of it asks for a new plan', async () => {
    const { inputs } = await compile({ home: home(), project: project(), packs: [], lastGood: {} })
    expect(inputs).toEqual(expect.arrayContaining([exceptionsFile(home()), pauseFile(home())]))
  })

  it.each([
    '',
    '[]',
    '{"exceptions":7}',
    '{"exceptions":[7,{},{"code":"x"},{"code":"x","act":"y","guard":"z"}]}',
  ])('is nothing where the file says %s', async (text) => {
    write('holdpoint/exceptions.json', text)
    expect((await leaveFor(PUSH)).exceptions).toEqual([])
  })

  it('does not loosen what managed policy asks for, also where another layer asks for more', async () => {
    write('managed.yaml', 'version: 1\npacks: { safety: { guards: { safety/git/force-push: ask } } }\n')
    write('holdpoint/config.yaml', 'version: 1\npacks: { safety: true }\n')
    writeExceptions(exceptionsFile(home()), [exception()])
    writePause(pauseFile(home()), { sinceMs: 1, untilMs: 1_000, packs: 'all' })
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

  it('is for the packs named, until its end', async () => {
    write('holdpoint/config.yaml', SELF)
    writePause(pauseFile(home()), { sinceMs: 1, untilMs: 1_000, packs: ['self'] })
    expect((await leaveFor('self/agent-config')).pausedUntilMs).toBe(1_000)
    expect((await leaveFor(PUSH)).pausedUntilMs).toBe(0)
    expect(pausedNow(await hooks(), 999)).toEqual({ packs: ['self'], untilMs: 1_000 })
    expect(pausedNow(await hooks(), 1_000)).toBeUndefined()
  })

  it('of all is for every pack', async () => {
    write('holdpoint/config.yaml', SELF)
    writePause(pauseFile(home()), { sinceMs: 1, untilMs: 1_000, packs: 'all' })
    expect(pausedNow(await hooks(), 1)?.packs.toSorted()).toEqual(['safety', 'self'])
  })

  it('longer than a person may open, or ending before it began, is none', async () => {
    for (const untilMs of [PAUSE_MAX_MS + 2, 1, 0]) {
      writePause(pauseFile(home()), { sinceMs: 1, untilMs, packs: 'all' })
      expect(pausedNow(await hooks(), 0)).toBeUndefined()
    }
  })
})
