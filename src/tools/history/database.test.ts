import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { TranscriptReader } from '../../core/transcript.ts'
import { type Connection, connect } from '../../storage/sqlite/connection.ts'
import { findTranscripts } from './find-transcripts.ts'
import { nothingUnread, readTranscript } from './read-transcript.ts'
import { findReader } from './readers.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-databases-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let home = root
let file = ''
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'))
  const folder = join(home, '.local', 'share', 'opencode')
  mkdirSync(folder, { recursive: true })
  file = join(folder, 'opencode.db')
})

async function reader(): Promise<TranscriptReader> {
  const member = await findReader('opencode')
  if (member === undefined) throw new Error('no reader')
  return member.reader
}

async function found(sinceMs?: number) {
  const places = { home, project: '/srv/project', env: {} }
  const more = sinceMs === undefined ? {} : { sinceMs }
  return findTranscripts([await reader()], { places, ...more }).sessions
}

/** A database with the columns that are read. */
function create(): Connection {
  const connection = connect(file)
  connection.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text, parent_id text, directory text, version text, agent text);
    CREATE TABLE part (id text, session_id text, time_created integer, time_updated integer, data text);
  `)
  return connection
}

function session(connection: Connection, id: string, parent: string | null, cwd: string): void {
  connection.run('INSERT INTO session VALUES (?, ?, ?, ?, ?)', id, parent, cwd, '1.18.33', 'general')
}

const AT = Date.UTC(2026, 10, 17)

function call(connection: Connection, of: string, useId: string, at = AT, data?: string): void {
  const part = { type: 'tool', tool: 'bash', callID: useId, state: { status: 'completed', input: {} } }
  const text = data ?? JSON.stringify(part)
  connection.run('INSERT INTO part VALUES (?, ?, ?, ?, ?)', useId, of, at, at, text)
}

async function callsOf(unread = nothingUnread()) {
  const read = await reader()
  return (await found()).map(({ session, files }) => [
    session,
    files.flatMap(({ file, path }) =>
      [...readTranscript(file, path, read, unread)].flatMap((item) =>
        item.kind === 'call' ? [[item.call.useId, item.call.agentId ?? 'main', item.call.cwd]] : [],
      ),
    ),
  ])
}

describe('a database of transcripts', () => {
  it('has sessions of several folders, each with its sub-agents, and is read while it is in use', async () => {
    const connection = create()
    session(connection, 'one', null, '/srv/one')
    session(connection, 'child', 'one', '/srv/one')
    session(connection, 'grandchild', 'child', '/srv/one')
    session(connection, 'two', null, '/srv/two')
    for (const [at, of] of ['one', 'child', 'grandchild', 'two'].entries())
      call(connection, of, `in-${of}`, AT + at)
    expect(await callsOf()).toEqual([
      [
        'one',
        [
          ['in-one', 'main', '/srv/one'],
          ['in-child', 'child', '/srv/one'],
          ['in-grandchild', 'grandchild', '/srv/one'],
        ],
      ],
      ['two', [['in-two', 'main', '/srv/two']]],
    ])
    connection.close()
  })

  it('is not changed', async () => {
    const connection = create()
    session(connection, 'one', null, '/srv/one')
    call(connection, 'one', 'x')
    connection.close()
    const before = readFileSync(file)
    await callsOf()
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(
      readdirSync(join(file, '..')).filter((name) => !/^opencode\.db(?:-shm|-wal)?$/.test(name)),
    ).toEqual([])
  })

  it('has sessions that were not changed since, which are left alone', async () => {
    const connection = create()
    session(connection, 'old', null, '/srv')
    session(connection, 'new', null, '/srv')
    call(connection, 'old', 'x', AT - 1_000)
    call(connection, 'new', 'y', AT)
    expect((await found(AT)).map(({ session: id }) => id)).toEqual(['new'])
    connection.close()
  })

  it('ends if sessions are parents of each other', async () => {
    const connection = create()
    session(connection, 'a', 'b', '/srv')
    session(connection, 'b', 'a', '/srv')
    session(connection, 'c', 'c', '/srv')
    call(connection, 'a', 'x')
    expect(await callsOf()).toEqual([])
    connection.close()
  })

  it('has parts that are damaged, which are counted', async () => {
    const connection = create()
    session(connection, 'one', null, '/srv')
    call(connection, 'one', 'a', AT, '{"type":"tool"')
    call(connection, 'one', 'b', AT, '{"type":"tool"}')
    call(connection, 'one', 'c', AT)
    const unread = nothingUnread()
    expect(await callsOf(unread)).toEqual([['one', [['c', 'main', '/srv']]]])
    expect(unread.incomplete).toBe(2)
    connection.close()
  })

  it.each<[string, () => void]>([
    [
      'is something else',
      () => writeFileSync(file, 'not a database, but longer than its head of a hundred bytes'.repeat(9)),
    ],
    ['lacks its tables', () => connect(file).exec('CREATE TABLE other (id text)')],
    ['is empty', () => writeFileSync(file, '')],
  ])('that %s is counted as unread', async (_name, write) => {
    write()
    const unread = nothingUnread()
    await callsOf(unread)
    expect(unread.files).toBe(1)
  })
})
