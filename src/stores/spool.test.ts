import { spawn } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it, test } from 'vitest'
import { ingestSpool, OLD_SPOOL, type SpoolStore } from './ingest.ts'
import { appendToOwnSpool, appendToSpool, SPOOL } from './spool.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { JournalRecord } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-spool-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'j-')), 'journal')

function recordOf(id: string, more: Partial<JournalRecord> = {}): JournalRecord {
  const fixed = {
    at: '2026-01-15T12:00:00.000Z',
    host: 'test',
    event: 'Stop',
    session: 's',
    cwd: '/p',
    project: '/p',
  }
  return { id, ...fixed, effect: 'pass', because: [], durationMs: 1, revision: 'rev', ...more }
}

function spool(folder: string, ...ids: readonly string[]): void {
  for (const id of ids) expect(appendToSpool(folder, recordOf(id))).toEqual({ ok: true, value: undefined })
}

function idsIn(store: SpoolStore): readonly string[] {
  return [...store.read({})].map(({ record }) => record.id)
}

describe('the spool', () => {
  it('is private, and made with its folder', () => {
    const folder = newFolder()
    spool(folder, 'r1')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, SPOOL)).mode & 0o777).toBe(0o600)
  })

  test.each<[string, (folder: string) => void]>([
    ['a folder that is a file', (folder) => writeFileSync(folder, '')],
    [
      'a link',
      (folder) => {
        mkdirSync(folder)
        writeFileSync(join(folder, 'target'), '')
        symlinkSync(join(folder, 'target'), join(folder, SPOOL))
      },
    ],
    ['a folder in its place', (folder) => mkdirSync(join(folder, SPOOL), { recursive: true })],
    [
      'a spool nobody empties',
      (folder) => {
        spool(folder, 'r1')
        truncateSync(join(folder, SPOOL), 64 * 1024 * 1024)
      },
    ],
  ])('gives a problem for %s', (_, spoil) => {
    const folder = newFolder()
    spoil(folder)
    const result = appendToSpool(folder, recordOf('r1'))
    expect(result).toMatchObject({
      ok: false,
      problem: { code: 'JOURNAL_UNREADABLE', file: join(folder, SPOOL) },
    })
  })

  it('of a process that lives in a folder does not bring it back when it is deleted', () => {
    const home = join(root, 'deleted')
    expect(appendToOwnSpool(join(home, 'journal'), recordOf('r1')).ok).toBe(false)
    expect(existsSync(home)).toBe(false)
    mkdirSync(home)
    expect(appendToOwnSpool(join(home, 'journal'), recordOf('r1')).ok).toBe(true)
  })

  it('gives a problem for a record that is too large or no JSON', () => {
    const folder = newFolder()
    for (const extra of [{ text: 'x'.repeat(2_000_000) }, { big: 1n }]) {
      const record = { ...recordOf('r1'), extra } as unknown as JournalRecord
      expect(appendToSpool(folder, record)).toMatchObject({ ok: false })
    }
    expect(existsSync(join(folder, SPOOL))).toBe(false)
  })
})

describe('ingesting', () => {
  function withStore(work: (folder: string, store: SpoolStore) => void): void {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    try {
      work(folder, store)
      expect(store.verify()).toMatchObject({ ok: true })
    } finally {
      store.close()
    }
  }

  it('does nothing where nothing was spooled', () =>
    withStore((folder, store) => {
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
      writeFileSync(join(folder, SPOOL), '')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
    }))

  it('takes each line once', () =>
    withStore((folder, store) => {
      spool(folder, 'r1', 'r2')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 2, skipped: 0 })
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
      spool(folder, 'r3')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
      expect(idsIn(store)).toEqual(['r1', 'r2', 'r3'])
    }))

  it('takes nothing twice and loses nothing when it fails half way', () =>
    withStore((folder, store) => {
      spool(folder, 'r1', 'r2')
      const failing: SpoolStore = {
        ...store,
        ingest: (work) =>
          store.ingest((step) => {
            work(step)
            throw new Error('the process died')
          }),
      }
      expect(() => ingestSpool(folder, failing)).toThrow('the process died')
      expect(idsIn(store)).toEqual([])
      expect(ingestSpool(folder, store)).toEqual({ ingested: 2, skipped: 0 })
    }))

  it('leaves a torn last line for later, and it costs only itself', () =>
    withStore((folder, store) => {
      spool(folder, 'r1')
      const line = JSON.stringify(recordOf('r2'))
      appendFileSync(join(folder, SPOOL), `\n${line.slice(0, 30)}`)
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
      appendFileSync(join(folder, SPOOL), `${line.slice(30)}\n`)
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
      // The next one is never finished: the disk was full.
      appendFileSync(join(folder, SPOOL), `\n${line.slice(0, 30)}`)
      spool(folder, 'r4')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 1 })
      expect(idsIn(store)).toEqual(['r1', 'r2', 'r4'])
    }))

  it('skips what is no record', () =>
    withStore((folder, store) => {
      mkdirSync(folder, { recursive: true })
      const garbage = [
        'hello',
        '{"id":"x"}',
        '[]',
        '\0\0',
        JSON.stringify({ ...recordOf('x'), effect: 'maybe' }),
      ]
      writeFileSync(join(folder, SPOOL), `${garbage.join('\n')}\n`)
      spool(folder, 'r1')
      expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: garbage.length })
    }))

  it('gets through megabytes without a newline', () =>
    withStore((folder, store) => {
      writeFileSync(join(folder, SPOOL), 'x'.repeat(5_000_000))
      spool(folder, 'r1')
      const { ingested, skipped } = ingestSpool(folder, store)
      expect(ingested).toBe(1)
      expect(skipped).toBeGreaterThan(0)
      expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
    }))

  it('takes a spool of many steps', () =>
    withStore((folder, store) => {
      const large = { input: 'x'.repeat(500_000) }
      for (let n = 0; n < 12; n++) appendToSpool(folder, recordOf(`r${n}`, large))
      expect(ingestSpool(folder, store)).toEqual({ ingested: 12, skipped: 0 })
      expect(idsIn(store)).toEqual(Array.from({ length: 12 }, (_, n) => `r${n}`))
    }))

  it('says so when the spool is not a file', () =>
    withStore((folder, store) => {
      mkdirSync(join(folder, SPOOL))
      expect(() => ingestSpool(folder, store)).toThrow(/JOURNAL_UNREADABLE/)
    }))
})

describe('rotation', () => {
  const fill = (folder: string, name: string) =>
    appendFileSync(
      join(folder, SPOOL),
      `\n${JSON.stringify(recordOf(name, { input: 'x'.repeat(900_000) }))}\n`.repeat(5),
    )

  it('waits for four megabytes, then starts a new file and finishes the old', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    spool(folder, 'small')
    ingestSpool(folder, store)
    expect(existsSync(join(folder, OLD_SPOOL))).toBe(false)

    // A slow writer has the file open while it is rotated, and writes afterwards.
    const late = openSync(join(folder, SPOOL), 'a')
    fill(folder, 'a')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 5, skipped: 0 })
    expect(existsSync(join(folder, SPOOL))).toBe(false)
    writeSync(late, `\n${JSON.stringify(recordOf('late'))}\n`)
    closeSync(late)
    spool(folder, 'next')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 2, skipped: 0 })
    expect(idsIn(store).slice(-2)).toEqual(['late', 'next'])

    // Only the next rotation removes it.
    expect(readFileSync(join(folder, OLD_SPOOL), 'utf8')).toContain('"late"')
    fill(folder, 'b')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 5, skipped: 0 })
    expect(readFileSync(join(folder, OLD_SPOOL), 'utf8')).not.toContain('"late"')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 0, skipped: 0 })
    expect(idsIn(store)).toHaveLength(13)
    expect(store.verify()).toMatchObject({ ok: true, records: 13 })
    store.close()
  })

  /** Ingests a full spool while something else happens just before the n-th transaction. */
  function disturbed(folder: string, store: SpoolStore, before: (call: number) => void): number {
    let calls = 0
    ingestSpool(folder, {
      ...store,
      ingest: (work) => {
        before(++calls)
        return store.ingest(work)
      },
    })
    return calls
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('loses no line that comes in before transaction %i', (when) => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    const expected: string[] = []
    for (let round = 0; round < 2; round++) {
      fill(folder, `large${round}`)
      disturbed(folder, store, (call) => {
        for (const name of call === when ? [SPOOL, OLD_SPOOL] : []) {
          if (!existsSync(join(folder, name))) continue
          expected.push(`${round}:${name}`)
          appendFileSync(join(folder, name), `\n${JSON.stringify(recordOf(expected.at(-1) ?? ''))}\n`)
        }
      })
      ingestSpool(folder, store)
    }
    expect(existsSync(join(folder, OLD_SPOOL))).toBe(true)
    const late = idsIn(store).filter((id) => id.includes(':'))
    expect([...late].sort()).toEqual(expected.sort())
    store.close()
  })

  it('happens once when two processes come to it together', () => {
    const [folder, again] = [newFolder(), newFolder()]
    const stores = [openSqliteStore(folder), openSqliteStore(again)] as const
    fill(folder, 'a')
    const rotating = disturbed(folder, stores[0], () => {})
    fill(again, 'a')
    disturbed(again, stores[1], (call) => {
      if (call !== rotating) return
      renameSync(join(again, SPOOL), join(again, OLD_SPOOL))
      spool(again, 'next')
      ingestSpool(again, stores[1])
    })
    expect(readFileSync(join(again, OLD_SPOOL), 'utf8')).toContain('"a"')
    expect(readFileSync(join(again, SPOOL), 'utf8')).toContain('"next"')
    for (const store of stores) store.close()
  })

  it('knows a new file that got the inode of a deleted one', () => {
    const folder = newFolder()
    const store = openSqliteStore(folder)
    spool(folder, 'r1', 'r2', 'r3')
    ingestSpool(folder, store)
    // The same inode for certain: the content is replaced in place.
    truncateSync(join(folder, SPOOL), 0)
    spool(folder, 'r4')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
    renameSync(join(folder, SPOOL), join(folder, 'elsewhere'))
    spool(folder, 'r5')
    expect(ingestSpool(folder, store)).toEqual({ ingested: 1, skipped: 0 })
    expect(idsIn(store)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
    store.close()
  })
})

describe('many processes at once', () => {
  const processes = 4
  const each = 60
  const expected = Array.from({ length: processes }, (_, p) =>
    Array.from({ length: each }, (_, n) => `${p}:${n}`),
  ).flat()

  it('append to one journal, also when they all make it', async () => {
    const folder = newFolder()
    await inProcesses(
      processes,
      folder,
      `const store = openSqliteStore(folder)
       for (let n = 0; n < ${each}; n++) store.append([recordOf(me + ':' + n)])
       store.close()`,
    )
    expectAll(folder)
  })

  it('spool and ingest while others do', async () => {
    const folder = newFolder()
    await inProcesses(
      processes,
      folder,
      `const store = openSqliteStore(folder)
       for (let n = 0; n < ${each}; n++) {
         // Large enough that the spool is rotated several times on the way.
         const result = appendToSpool(folder, { ...recordOf(me + ':' + n), input: 'x'.repeat(100_000) })
         if (!result.ok) throw new Error(result.problem.message)
         if (n % 3 === 0) ingestSpool(folder, store)
       }
       store.close()`,
    )
    const store = openSqliteStore(folder)
    ingestSpool(folder, store)
    store.close()
    expectAll(folder)
  })

  function expectAll(folder: string): void {
    const store = openSqliteStore(folder)
    expect([...idsIn(store)].sort()).toEqual([...expected].sort())
    expect(store.verify()).toMatchObject({ ok: true, records: expected.length })
    store.close()
  }
})

/** Runs the same lines in several real processes, which start together. */
async function inProcesses(processes: number, folder: string, lines: string): Promise<void> {
  const place = mkdtempSync(join(root, 'script-'))
  const [script, go] = [join(place, 'script.cjs'), join(place, 'go')]
  const source = `
    import { existsSync } from 'node:fs'
    import { ingestSpool } from './ingest.ts'
    import { appendToSpool } from './spool.ts'
    import { openSqliteStore } from './sqlite/store.ts'
    const [me, folder, go] = process.argv.slice(2)
    const recordOf = (id) => ({ ...${JSON.stringify(recordOf(''))}, id })
    process.stdout.write('ready')
    while (!existsSync(go)) {}
    ${lines}
  `
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['libsql'],
    outfile: script,
  })
  let ready = 0
  const running = Array.from({ length: processes }, (_, me) => {
    const child = spawn(process.execPath, [script, `${me}`, folder, go], {
      env: { ...process.env, NODE_PATH: resolve('node_modules') },
    })
    return new Promise<void>((done, failed) => {
      child.stdout.on('data', () => {
        if (++ready === processes) writeFileSync(go, '')
      })
      let errors = ''
      child.stderr.on('data', (chunk) => {
        errors += chunk
      })
      child.on('close', (code) => (code === 0 ? done() : failed(new Error(errors))))
    })
  })
  await Promise.all(running)
}
