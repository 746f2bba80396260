import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import fc from 'fast-check'
import { afterAll, describe, expect, it, test } from 'vitest'
import { createFileState, forgetSessions } from './file-state.ts'
import { createMemoryState } from './memory-state.ts'
import { stateContract } from './state.contract.ts'
import type { Change, Commit, SessionState } from './state.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-state-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'f-')), 'state')

stateContract({ name: 'file', open: () => createFileState(newFolder()) })

let nonces = 0

function counting(more: Partial<Commit> = {}): Commit {
  nonces++
  const changes: Change[] = [{ do: 'patch', patch: { op: 'count', key: 'n', by: 1 } }]
  return { agent: 'main', changes, nonce: `n${nonces}`, atMs: 0, ...more }
}

function expectValue<T>(result: { ok: true; value: T } | { ok: false; problem: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.problem))
  return result.value
}

const countIn = (state: SessionState) => state.actors.get('main')?.memory.n
const fileIn = (folder: string) => join(folder, readdirSync(folder)[0] ?? 'none')

describe('the file', () => {
  it('is private, named by a hash, and not made by reading', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.read('s'))
    expect(existsSync(folder)).toBe(false)
    expectValue(store.commit('s', counting()))
    expect(readdirSync(folder)).toEqual(['s.session.jsonl'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
  })

  it('is read by another store, now and after more was written', () => {
    const folder = newFolder()
    const [one, two] = [createFileState(folder), createFileState(folder)]
    for (let n = 1; n <= 3; n++) {
      expectValue(one.commit('s', counting()))
      expect(countIn(expectValue(two.read('s')))).toBe(n)
    }
  })

  it('starts over when it was replaced or cut', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    for (let n = 0; n < 3; n++) expectValue(store.commit('s', counting()))
    truncateSync(fileIn(folder), readFileSync(fileIn(folder)).indexOf('\n\n') + 1)
    expect(countIn(expectValue(store.read('s')))).toBe(1)
    rmSync(fileIn(folder))
    expect(expectValue(store.read('s')).actors.size).toBe(0)
    // A new file of the same length, perhaps with the same inode number.
    expectValue(createFileState(folder).commit('s', counting({ agent: 'else' })))
    expect(expectValue(store.read('s')).actors.has('main')).toBe(false)
  })

  it('folds like the memory store, whatever is committed', () => {
    const change = fc.oneof(
      fc.record({ do: fc.constant('skill' as const), name: fc.string(), active: fc.boolean() }),
      fc.constantFrom<Change>(
        { do: 'end' },
        { do: 'clear' },
        { do: 'agent', type: 't' },
        { do: 'spawn', type: 't' },
      ),
      fc
        .record({
          op: fc.constant('set' as const),
          key: fc.string({ unit: 'binary' }),
          value: fc.jsonValue(),
        })
        .map((patch) => ({ do: 'patch' as const, patch: JSON.parse(JSON.stringify(patch)) })),
    )
    const commit = fc.record(
      {
        agent: fc.constantFrom('main', 'sub'),
        changes: fc.array(change),
        key: fc.constantFrom('a', 'b'),
        base: fc.nat(3),
      },
      { requiredKeys: ['agent', 'changes'] },
    )
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 8 }), (commits) => {
        const [file, memory] = [createFileState(newFolder()), createMemoryState()]
        for (const [n, each] of commits.entries()) {
          const full = { ...each, nonce: `${n}`, atMs: n }
          expect(file.commit('s', full)).toEqual(memory.commit('s', full))
        }
        expect(file.read('s')).toEqual(memory.read('s'))
      }),
      { numRuns: 60 },
    )
  })
})

describe('damage', () => {
  const whole = JSON.stringify(counting({ recorded: { text: '}]"\\' } }))

  test.each<[string, string, boolean]>([
    ['nothing', '', false],
    ['empty lines', '\n\n\n', false],
    ['a torn commit', whole.slice(0, 20), false],
    ['a commit torn after an inner bracket', whole.slice(0, whole.indexOf('}') + 1), false],
    ['a commit torn before its last bracket', whole.slice(0, -1), false],
    ['one opening bracket', '{', false],
    [
      'a commit with an unknown change',
      JSON.stringify({ ...counting(), changes: [{ do: 'later', x: 1 }] }),
      false,
    ],
    ['text', 'hello', true],
    ['NUL bytes', '\0\0\0\0', true],
    ['a torn commit that ends in NUL bytes', `${whole.slice(0, 20)}\0\0`, true],
    ['two commits run together', `${whole}${whole}`, true],
    ['JSON of another shape', '{"a":1}', true],
    ['a list', '[]', true],
    ['a commit with a broken change', JSON.stringify({ ...counting(), changes: [{ do: 'skill' }] }), true],
    ['a commit with a broken base', JSON.stringify({ ...counting(), base: '0' }), true],
  ])('%s', (_, line, damaged) => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.commit('s', counting()))
    appendFileSync(fileIn(folder), line)
    // The unfinished line is nobody's yet; the next writer closes it and loses nothing.
    expect(expectValue(store.read('s'))).toMatchObject({ damaged: false })
    const after = expectValue(store.commit('s', counting()))
    expect(after.applied).toBe(true)
    expect(after.state.damaged).toBe(damaged)
    for (const state of [after.state, expectValue(createFileState(folder).read('s'))]) {
      expect([countIn(state), state.damaged]).toEqual([2, damaged])
    }
    expect(expectValue(store.commit('s', counting())).state.damaged).toBe(damaged)
  })

  it('reads any prefix of a good file without damage', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    for (let n = 0; n < 3; n++)
      expectValue(store.commit('s', counting({ recorded: { text: 'é"}]\\' }, key: `${n}` })))
    const bytes = readFileSync(fileIn(folder))
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(fileIn(folder), bytes.subarray(0, length))
      appendFileSync(fileIn(folder), '\n')
      expect(expectValue(createFileState(folder).read('s')).damaged).toBe(false)
    }
  })
})

describe('trouble with the disk is a value', () => {
  it('names the path when the folder is a file', () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    for (const folder of [file, join(file, 'below')]) {
      const store = createFileState(folder)
      const [read, commit] = [store.read('s'), store.commit('s', counting())]
      expect(read).toMatchObject({ ok: false, problem: { code: 'STATE_UNREADABLE' } })
      expect(commit).toMatchObject({ ok: false, problem: { code: 'STATE_UNWRITABLE' } })
      expect(!commit.ok && commit.problem.message).toContain(folder)
    }
  })

  it('does not follow a link, read a folder, or swallow a huge file', () => {
    const folder = newFolder()
    expectValue(createFileState(folder).commit('s', counting()))
    const path = fileIn(folder)
    const instead: readonly (() => void)[] = [
      () => symlinkSync(join(root, 'a-file'), path),
      () => mkdirSync(path),
      () => {
        writeFileSync(path, '')
        truncateSync(path, 16 * 1024 * 1024 + 1)
      },
    ]
    for (const put of instead) {
      rmSync(path, { recursive: true })
      put()
      expect(createFileState(folder).read('s')).toMatchObject({ problem: { code: 'STATE_UNREADABLE' } })
      expect(createFileState(folder).commit('s', counting())).toMatchObject({
        problem: { code: 'STATE_UNWRITABLE' },
      })
    }
  })

  it('stops writing before the file can no longer be read', () => {
    const store = createFileState(newFolder())
    const large = { do: 'skill', name: 'x'.repeat(1_000_000), active: false } as const
    let written = 0
    while (written < 30 && store.commit('s', counting({ changes: [large] })).ok) written++
    expect(written).toBeLessThan(20)
    expect(expectValue(store.read('s')).actors.get('main')?.version).toBe(written)
  })
})

describe('forgetting', () => {
  it('deletes what nobody touched for so long, and nothing of others', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.commit('old', counting()))
    utimesSync(fileIn(folder), new Date('2026-01-01'), new Date('2026-01-01'))
    expectValue(store.commit('new', counting()))
    writeFileSync(join(folder, 'notes.jsonl'), '')
    utimesSync(join(folder, 'notes.jsonl'), new Date('2026-01-01'), new Date('2026-01-01'))
    expect(forgetSessions(folder, 30, new Date('2026-01-30'))).toEqual({ ok: true, value: 0 })
    expect(forgetSessions(folder, 30, new Date('2026-02-01'))).toEqual({ ok: true, value: 1 })
    expect(readdirSync(folder)).toHaveLength(2)
    expect(expectValue(store.read('old')).actors.size).toBe(0)
    expect(countIn(expectValue(store.read('new')))).toBe(1)
  })

  it('has nothing to do where no folder is', () => {
    expect(forgetSessions(newFolder(), 30, new Date())).toEqual({ ok: true, value: 0 })
  })
})

describe('many at once', () => {
  it('lets one of many interleaved stores win a version', () => {
    const folder = newFolder()
    const stores = Array.from({ length: 8 }, () => createFileState(folder))
    for (let base = 0; base < 10; base++) {
      const applied = stores.map((store) => expectValue(store.commit('s', counting({ base }))).applied)
      expect(applied.filter(Boolean)).toHaveLength(1)
    }
    for (const store of stores) expect(countIn(expectValue(store.read('s')))).toBe(10)
  })

  it('holds among real processes', async () => {
    const folder = newFolder()
    const processes = 8
    const rounds = 40
    const reports = await inProcesses(processes, folder, rounds)
    const state = expectValue(createFileState(folder).read('s'))
    expect(state.damaged).toBe(false)
    // Without a base all apply; with the same base exactly one of all does.
    expect(state.actors.get('free')?.memory.n).toBe(processes * rounds)
    expect(state.actors.get('contended')?.memory.n).toBe(rounds)
    for (let base = 0; base < rounds; base++) {
      expect(reports.filter((report) => report.won.includes(base))).toHaveLength(1)
    }
  })
})

/** Starts real processes that commit at the same moment, and gives what each believes it won. */
async function inProcesses(processes: number, folder: string, rounds: number): Promise<{ won: number[] }[]> {
  const script = join(mkdtempSync(join(root, 'script-')), 'writer.mjs')
  const source = `
    import { existsSync } from 'node:fs'
    import { createFileState } from './file-state.ts'
    const [me, folder, rounds, go] = process.argv.slice(2)
    const store = createFileState(folder)
    const commit = (agent, nonce, base) => {
      const changes = [{ do: 'patch', patch: { op: 'count', key: 'n', by: 1 } }]
      const result = store.commit('s', { agent, changes, nonce, atMs: 0, ...(base === undefined ? {} : { base }) })
      if (!result.ok) throw new Error(result.problem.message)
      return result.value.applied
    }
    process.stdout.write('ready\\n')
    while (!existsSync(go)) {}
    const won = []
    for (let round = 0; round < Number(rounds); round++) {
      if (!commit('free', me + ':free:' + round)) throw new Error('a commit without base did not apply')
      if (commit('contended', me + ':' + round, round)) won.push(round)
    }
    console.log(JSON.stringify({ won }))
  `
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
  })
  const go = join(root, 'go')
  let ready = 0
  const running = Array.from({ length: processes }, (_, me) => {
    const child = spawn(process.execPath, [script, `${me}`, folder, `${rounds}`, go])
    return new Promise<{ won: number[] }>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        if (output === '' && ++ready === processes) writeFileSync(go, '')
        output += chunk
      })
      let errors = ''
      child.stderr.on('data', (chunk) => {
        errors += chunk
      })
      child.on('close', (code) =>
        code === 0 ? resolve(JSON.parse(output.split('\n')[1] ?? '')) : reject(new Error(errors)),
      )
    })
  })
  return Promise.all(running)
}
