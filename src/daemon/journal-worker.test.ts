import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal } from '../storage/journal/journal.ts'
import { createMemoryStore } from '../storage/journal/memory/store.ts'
import { appendToSpool } from '../storage/journal/spool.ts'
import type { JournalRecord, Query } from '../storage/journal/store.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { startJournalThread } from './journal-thread.ts'
import { createJournalWorker, noteHoles } from './journal-worker.ts'

let home: Home
beforeEach(() => {
  home = homeLayout(mkdtempSync(join(tmpdir(), 'holdpoint-journal-')), {})
})
afterEach(() => rmSync(home.folder, { recursive: true }))

describe('the journal worker', () => {
  it('creates no journal while there are no records', async () => {
    expect(await createJournalWorker(home, async () => undefined).importSpool()).toBeUndefined()
    expect(() => readFileSync(join(home.journal, 'journal.db'))).toThrow('ENOENT')
  })

  it('reports the problem each time, and imports everything once it is fixed', async () => {
    const worker = createJournalWorker(home, async () => undefined)
    mkdirSync(join(home.journal, 'journal.db'), { recursive: true })
    addRecord('one')
    expect(await worker.importSpool()).toContain('journal.db')
    expect(await worker.importSpool()).toContain('journal.db')
    addRecord('two')
    rmSync(join(home.journal, 'journal.db'), { recursive: true })
    expect(await worker.importSpool()).toBeUndefined()
    addRecord('three')
    expect(await worker.importSpool()).toBeUndefined()
    expect(await worker.importSpool()).toBeUndefined()
    expect(await kept()).toEqual(['one', 'three', 'two'])
  })
})

describe('the search for holes', () => {
  it('looks at each record once, whether a session ended or not', async () => {
    const store = createMemoryStore()
    const asked: unknown[] = []
    const watched = {
      read: (query: Query = {}) => {
        if (query.limit === undefined) asked.push(query.after)
        return store.read(query)
      },
    }
    const ended: string[] = []
    let audited = 0
    for (const event of ['PreToolUse', 'SessionEnd', 'PreToolUse']) {
      store.append([recordOf(`${event} ${audited}`, event), recordOf(`other ${audited}`)])
      audited = await noteHoles(watched, home.journal, audited, async ({ event }) => void ended.push(event))
    }
    expect(asked).toEqual([0, 2, 4])
    expect(ended).toEqual(['SessionEnd'])
  })
})

describe('the journal thread', () => {
  const LONG_MS = 30_000

  const worker = (action: string) => {
    const file = join(home.folder, 'worker.cjs')
    writeFileSync(
      file,
      `const { parentPort } = require('node:worker_threads')\nparentPort.on('message', () => { ${action} })\n`,
    )
    const said: string[] = []
    return { said, thread: startJournalThread(file, home, (line) => said.push(line)) }
  }

  it.each([
    ['exits', 'process.exit(0)', LONG_MS, undefined],
    ['throws', "throw new Error('thrown')", LONG_MS, 'thrown'],
    ['reports a problem', "parentPort.postMessage('wrong')", LONG_MS, 'wrong'],
    ['reports success', 'parentPort.postMessage(null)', LONG_MS, undefined],
    ['never answers', '', 300, undefined],
    ['is in an endless loop', 'for (;;);', 300, undefined],
  ])('can be stopped in the given time if its worker %s', async (_name, action, waitMs, trouble) => {
    const { said, thread } = worker(action)
    for (let round = 0; round < 3; round += 1) thread.importSpool()
    await thread.stop(waitMs)
    expect(thread.trouble()).toBe(trouble)
    expect(said).toEqual(trouble === undefined ? [] : [`the journal: ${trouble}`])
  })
})

function addRecord(id: string): void {
  expect(appendToSpool(home.journal, recordOf(id))).toMatchObject({ ok: true })
}

function recordOf(id: string, event = 'PreToolUse'): JournalRecord {
  return {
    ...{ id, at: new Date().toISOString(), host: 'test', event, session: 's', cwd: '/' },
    ...{ project: '/', effect: 'pass', because: [], durationMs: 1, revision: 'r' },
  }
}

async function kept(): Promise<readonly string[]> {
  const { store } = await openJournal(home.journal)
  const ids = [...store.read({})].map(({ record }) => record.id)
  store.close()
  return ids.sort()
}
