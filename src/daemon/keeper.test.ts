import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal } from '../journal.ts'
import { appendToSpool } from '../stores/spool.ts'
import type { JournalRecord } from '../stores/store.ts'
import { type Home, homeLayout } from '../world/home.ts'
import { createKeeper } from './keeper.ts'
import { startKeeperThread } from './keeper-thread.ts'

let home: Home
beforeEach(() => {
  home = homeLayout(mkdtempSync(join(tmpdir(), 'holdpoint-keeper-')), {})
})
afterEach(() => rmSync(home.folder, { recursive: true }))

describe('the keeper', () => {
  it('makes no journal while there is nothing to keep', async () => {
    expect(await createKeeper(home).tend()).toBeUndefined()
    expect(() => readFileSync(join(home.journal, 'journal.db'))).toThrow('ENOENT')
  })

  it('says what is wrong each time, and takes in everything once it is put right', async () => {
    const keeper = createKeeper(home)
    mkdirSync(join(home.journal, 'journal.db'), { recursive: true })
    leave('one')
    expect(await keeper.tend()).toContain('journal.db')
    expect(await keeper.tend()).toContain('journal.db')
    leave('two')
    rmSync(join(home.journal, 'journal.db'), { recursive: true })
    expect(await keeper.tend()).toBeUndefined()
    leave('three')
    expect(await keeper.tend()).toBeUndefined()
    expect(await keeper.tend()).toBeUndefined()
    expect(await kept()).toEqual(['one', 'three', 'two'])
  })
})

describe('its thread', () => {
  const LONG_MS = 30_000

  const worker = (deed: string) => {
    const file = join(home.folder, 'worker.cjs')
    writeFileSync(
      file,
      `const { parentPort } = require('node:worker_threads')\nparentPort.on('message', () => { ${deed} })\n`,
    )
    const said: string[] = []
    return { said, thread: startKeeperThread(file, home, (line) => said.push(line)) }
  }

  it.each([
    ['exits', 'process.exit(0)', LONG_MS, undefined],
    ['throws', "throw new Error('thrown')", LONG_MS, 'thrown'],
    ['says that something is wrong', "parentPort.postMessage('wrong')", LONG_MS, 'wrong'],
    ['says that all is well', 'parentPort.postMessage(null)', LONG_MS, undefined],
    ['never answers', '', 300, undefined],
    ['spins', 'for (;;);', 300, undefined],
  ])('%s: nobody waits for it longer than allowed', async (_name, deed, waitMs, trouble) => {
    const { said, thread } = worker(deed)
    for (let round = 0; round < 3; round += 1) thread.tend()
    await thread.stop(waitMs)
    expect(thread.trouble()).toBe(trouble)
    expect(said).toEqual(trouble === undefined ? [] : [`the journal: ${trouble}`])
  })
})

function leave(id: string): void {
  const record: JournalRecord = {
    ...{ id, at: new Date().toISOString(), host: 'test', event: 'PreToolUse', session: 's', cwd: '/' },
    ...{ project: '/', effect: 'pass', because: [], durationMs: 1, revision: 'r' },
  }
  expect(appendToSpool(home.journal, record)).toMatchObject({ ok: true })
}

async function kept(): Promise<readonly string[]> {
  const { store } = await openJournal(home)
  const ids = [...store.read({})].map(({ record }) => record.id)
  store.close()
  return ids.sort()
}
