import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { OLD_SPOOL } from '../../storage/journal/ingest.ts'
import { SPOOL } from '../../storage/journal/spool.ts'
import type { JournalRecord } from '../../storage/journal/store.ts'
import { followSpool, type SpoolTail } from './spool-tail.ts'

let folder: string
let tail: SpoolTail
const seen: string[] = []
const spool = () => join(folder, SPOOL)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-tail-'))
  seen.length = 0
})
afterEach(() => {
  tail.stop()
  rmSync(folder, { recursive: true })
})

const follow = () => {
  tail = followSpool(folder, (records) => seen.push(...records.map(({ id }) => id)))
}

const line = (id: string) => {
  const record: JournalRecord = {
    id,
    at: '2026-01-05T09:00:00.000Z',
    host: 'claude-code',
    event: 'PreToolUse',
    session: 's',
    cwd: '/srv',
    project: '/srv',
    effect: 'pass',
    because: [],
    durationMs: 1,
    revision: 'r',
  }
  return `${JSON.stringify(record)}\n`
}

const become = (ids: readonly string[]) => vi.waitFor(() => expect(seen).toEqual(ids), { timeout: 30_000 })

it('reports what is added from now on, a record in two parts once, and leaves out what is no record', async () => {
  writeFileSync(spool(), line('before'))
  follow()
  appendFileSync(spool(), line('a'))
  await become(['a'])
  const text = line('b')
  appendFileSync(spool(), `not a record\n${text.slice(0, 40)}`)
  await new Promise((resolve) => setTimeout(resolve, 300))
  appendFileSync(spool(), `${text.slice(40)}${line('c')}`)
  await become(['a', 'b', 'c'])
})

it('follows a spool that is made later, and one that was full and is renamed', async () => {
  follow()
  writeFileSync(spool(), line('a'))
  await become(['a'])
  appendFileSync(spool(), line('b'))
  renameSync(spool(), join(folder, OLD_SPOOL))
  writeFileSync(spool(), line('c'))
  await become(['a', 'b', 'c'])
})
