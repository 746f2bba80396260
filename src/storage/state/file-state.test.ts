import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, test } from 'vitest'
import type { Commit, SessionState, StateChange } from '../../core/state/state.ts'
import { createFileState, forgetSessions } from './file-state.ts'
import { makeNext } from './generations.ts'
import { createMemoryState } from './memory-state.ts'
import { type Folded, isUnchanged } from './session-log.ts'
import { stateContract } from './state.contract.ts'

const root = mkdtempSync(join(tmpdir(), 'holdpoint-state-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(root, 'f-')), 'state')

stateContract({ name: 'file', open: () => createFileState(newFolder()) })

let nonces = 0

function counting(more: Partial<Commit> = {}): Commit {
  nonces++
  const changes: StateChange[] = [{ kind: 'patch', patch: { op: 'count', key: 'n', by: 1 } }]
  return { agent: 'main', changes, nonce: `n${nonces}`, atMs: 0, ...more }
}

function expectValue<T>(result: { ok: true; value: T } | { ok: false; problem: unknown }): T {
  if (!result.ok) throw new Error(JSON.stringify(result.problem))
  return result.value
}

const countIn = (state: SessionState) => state.actors.get('main')?.memory.n
const fileIn = (folder: string) => join(folder, readdirSync(folder)[0] ?? 'none')

describe('the state file of a session', () => {
  it('is private, has a safe name, and is not created by reading', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.read('s'))
    expect(existsSync(folder)).toBe(false)
    expectValue(store.commit('s', counting()))
    expect(readdirSync(folder)).toEqual(['s.session.jsonl'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
  })

  it('can be read by another store, also after more was written', () => {
    const folder = newFolder()
    const [one, two] = [createFileState(folder), createFileState(folder)]
    for (let n = 1; n <= 3; n++) {
      expectValue(one.commit('s', counting()))
      expect(countIn(expectValue(two.read('s')))).toBe(n)
    }
  })

  it('is read from the start if it was replaced or cut', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    for (let n = 0; n < 3; n++) expectValue(store.commit('s', counting()))
    truncateSync(fileIn(folder), readFileSync(fileIn(folder)).indexOf('\n\n') + 1)
    expect(countIn(expectValue(store.read('s')))).toBe(1)
    rmSync(fileIn(folder))
    expect(expectValue(store.read('s')).actors.size).toBe(0)
    // A new file of the same length, possibly with the same inode number.
    expectValue(createFileState(folder).commit('s', counting({ agent: 'else' })))
    expect(expectValue(store.read('s')).actors.has('main')).toBe(false)
  })

  it('gives the same state as the memory store, whatever is committed', () => {
    const change = fc.oneof(
      fc.record({ kind: fc.constant('skill' as const), name: fc.string(), active: fc.boolean() }),
      fc.constantFrom<StateChange>(
        { kind: 'end' },
        { kind: 'clear' },
        { kind: 'agent', type: 't' },
        { kind: 'spawn', type: 't' },
      ),
      fc
        .record({
          op: fc.constant('set' as const),
          key: fc.string({ unit: 'binary' }),
          value: fc.jsonValue(),
        })
        .map((patch) => ({ kind: 'patch' as const, patch: JSON.parse(JSON.stringify(patch)) })),
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

describe('a state file that contains', () => {
  const whole = JSON.stringify(counting({ recorded: { text: '}]"\\' } }))

  test.each<[string, string, boolean]>([
    ['nothing', '', false],
    ['empty lines', '\n\n\n', false],
    ['an incomplete commit', whole.slice(0, 20), false],
    ['a commit cut after an inner bracket', whole.slice(0, whole.indexOf('}') + 1), false],
    ['a commit cut before its last bracket', whole.slice(0, -1), false],
    ['one opening bracket', '{', false],
    [
      'a commit with an unknown change',
      JSON.stringify({ ...counting(), changes: [{ kind: 'later', x: 1 }] }),
      false,
    ],
    ['text', 'hello', true],
    ['NUL bytes', '\0\0\0\0', true],
    ['an incomplete commit that ends in NUL bytes', `${whole.slice(0, 20)}\0\0`, true],
    ['two commits without a newline between them', `${whole}${whole}`, true],
    ['JSON of another shape', '{"a":1}', true],
    ['a list', '[]', true],
    ['a commit with a broken change', JSON.stringify({ ...counting(), changes: [{ kind: 'skill' }] }), true],
    ['a commit with a broken base', JSON.stringify({ ...counting(), base: '0' }), true],
  ])('%s is damaged only if it cannot be an unfinished write', (_, line, damaged) => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.commit('s', counting()))
    appendFileSync(fileIn(folder), line)
    // The unfinished line does not count yet. The next writer ends it, and nothing is lost.
    expect(expectValue(store.read('s'))).toMatchObject({ damaged: false })
    const after = expectValue(store.commit('s', counting()))
    expect(after.applied).toBe(true)
    expect(after.state.damaged).toBe(damaged)
    for (const state of [after.state, expectValue(createFileState(folder).read('s'))]) {
      expect([countIn(state), state.damaged]).toEqual([2, damaged])
    }
    expect(expectValue(store.commit('s', counting())).state.damaged).toBe(damaged)
  })

  it('any prefix of a valid file is not damaged', () => {
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

describe('a problem with the disk is returned as a value that', () => {
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

  it('comes from a link, a folder or a huge file instead of reading it', () => {
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

  it('says that the state is too large, while it can still be read', () => {
    const store = createFileState(newFolder())
    let written = 0
    const large = (n: number): StateChange => ({
      kind: 'patch',
      patch: { op: 'set', key: `k${n}`, value: 'x'.repeat(1_000_000) },
    })
    while (written < 30 && store.commit('s', counting({ changes: [large(written)] })).ok) written++
    expect(written).toBeLessThan(20)
    expect(expectValue(store.read('s')).actors.get('main')?.version).toBe(written)
  })
})

describe('a long session', () => {
  const compactBytes = 2_000
  const sizeOf = (folder: string) =>
    readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

  it('costs the same as a short one, on disk and to read', () => {
    const folder = newFolder()
    const store = createFileState(folder, { compactBytes })
    for (let n = 0; n < 3_000; n++) expectValue(store.commit('s', counting()))
    expect(countIn(expectValue(createFileState(folder).read('s')))).toBe(3_000)
    // Each earlier file contains only the number of the next one.
    expect(sizeOf(folder)).toBeLessThan(readdirSync(folder).length * 20 + 2 * compactBytes)
  })

  it('is not limited by data that was removed', () => {
    const store = createFileState(newFolder())
    const large = { kind: 'skill', name: 'x'.repeat(1_000_000), active: false } as const
    for (let n = 0; n < 40; n++) expectValue(store.commit('s', counting({ changes: [large] })))
    expect(expectValue(store.read('s')).actors.get('main')?.version).toBe(40)
  })

  it('gives the same state as the memory store across its files', () => {
    const folder = newFolder()
    const stores = [
      createFileState(folder, { compactBytes: 300 }),
      createFileState(folder, { compactBytes: 300 }),
    ]
    const memory = createMemoryState()
    for (let n = 0; n < 200; n++) {
      const more = n % 3 === 0 ? { key: `k${n % 30}`, recorded: { n } } : n % 5 === 0 ? { base: n } : {}
      const commit = counting({ ...more, agent: n % 7 === 0 ? 'sub' : 'main' })
      const result = expectValue(stores[n % 2]?.commit('s', commit) ?? { ok: false, problem: 'no store' })
      expect(result).toEqual(expectValue(memory.commit('s', commit)))
    }
    expect(createFileState(folder).read('s')).toEqual(memory.read('s'))
  })

  it('continues after a writer died between the seal and the next file', () => {
    const folder = newFolder()
    expectValue(createFileState(folder).commit('s', counting()))
    appendFileSync(fileIn(folder), '\n{"seal":true}\n')
    // A line after the seal counts only if its writer writes it again in the next file.
    appendFileSync(fileIn(folder), `\n${JSON.stringify(counting())}\n`)
    const store = createFileState(folder)
    expect(countIn(expectValue(store.read('s')))).toBe(1)
    expect(countIn(expectValue(store.commit('s', counting())).state)).toBe(2)
    expect(countIn(expectValue(createFileState(folder).read('s')))).toBe(2)
  })

  it('does not return to an old state because of a process that was suspended', () => {
    const folder = newFolder()
    const store = createFileState(folder, { compactBytes: 300 })
    expectValue(store.commit('s', counting()))
    const path = fileIn(folder)
    const old = { ...expectValue(store.read('s')), keys: [] }
    for (let n = 0; n < 30; n++) expectValue(store.commit('s', counting()))
    // A suspended process would now create the first file after the one that it has read.
    makeNext(path, 0, old)
    for (const each of [store, createFileState(folder)]) {
      expect(countIn(expectValue(each.read('s')))).toBe(31)
    }
  })

  it('keeps a bounded number of sub-agents that have ended', () => {
    const store = createFileState(newFolder())
    expectValue(store.commit('s', counting({ agent: 'alive' })))
    for (let n = 0; n < 2_100; n++) {
      expectValue(store.commit('s', counting({ agent: `a${n}`, changes: [{ kind: 'end' }] })))
    }
    const { actors } = expectValue(store.read('s'))
    expect(actors.size).toBe(2_000)
    expect([actors.has('alive'), actors.has('a0'), actors.has('a2099')]).toEqual([true, false, true])
  })
})

describe('forgetting sessions', () => {
  it('deletes sessions that were not used for the given time, and no other files', () => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.commit('old', counting()))
    utimesSync(fileIn(folder), new Date('2026-01-01'), new Date('2026-01-01'))
    expectValue(store.commit('new', counting()))
    writeFileSync(join(folder, 'notes.jsonl'), '')
    utimesSync(join(folder, 'notes.jsonl'), new Date('2026-01-01'), new Date('2026-01-01'))
    expect(forgetSessions(folder, new Date('2026-01-30'))).toEqual({ ok: true, value: 0 })
    expect(forgetSessions(folder, new Date('2026-02-01'))).toEqual({ ok: true, value: 1 })
    expect(readdirSync(folder)).toHaveLength(2)
    expect(expectValue(store.read('old')).actors.size).toBe(0)
    expect(countIn(expectValue(store.read('new')))).toBe(1)
  })

  it('says why a folder cannot be read', () => {
    const file = join(root, 'no-folder')
    writeFileSync(file, '')
    expect(forgetSessions(file, new Date())).toMatchObject({
      problem: {
        code: 'STATE_UNREADABLE',
        message: expect.stringMatching(/no-folder could not be read: ENOTDIR/),
        file,
      },
    })
  })

  it('does nothing without a folder', () => {
    expect(forgetSessions(newFolder(), new Date())).toEqual({ ok: true, value: 0 })
  })
})

/** From real processes: file-state.long.test.ts. */
describe('many commits at once', () => {
  it('accept one commit for each version, from interleaved stores', () => {
    const folder = newFolder()
    const stores = Array.from({ length: 8 }, () => createFileState(folder))
    for (let base = 0; base < 10; base++) {
      const applied = stores.map((store) => expectValue(store.commit('s', counting({ base }))).applied)
      expect(applied.filter(Boolean)).toHaveLength(1)
    }
    for (const store of stores) expect(countIn(expectValue(store.read('s')))).toBe(10)
  })
})

describe('the name of a state file', () => {
  const nameOf = (session: string) => {
    const folder = newFolder()
    expectValue(createFileState(folder).commit(session, counting()))
    return readdirSync(folder)[0] ?? ''
  }
  const hex = (text: string) => Buffer.from(text).toString('hex')

  it.each([
    ['a', 'a'],
    ['s-1_b', 's-1_b'],
    ['a'.repeat(80), 'a'.repeat(80)],
    ['a'.repeat(81), `=${hex('a'.repeat(81)).slice(0, 128)}-`],
    ['A'.repeat(80), `=${hex('A'.repeat(80))}`],
    ['A', `=${hex('A')}`],
    ['_a', `=${hex('_a')}`],
    ['', '='],
  ])('is safe for the session %j', (session, name) => {
    const found = nameOf(session)
    expect(found.startsWith(name) && found.endsWith('.session.jsonl')).toBe(true)
    const isCut = name.endsWith('-')
    if (!isCut) expect(found).toBe(`${name}.session.jsonl`)
    else expect(found.slice(name.length)).toMatch(/^[^.]{8,}\.session\.jsonl$/)
  })

  it('of two long sessions differs, wherever they differ', () => {
    const long = (end: string) => `${'A'.repeat(200)}${end}`
    expect(nameOf(long('x'))).not.toBe(nameOf(long('y')))
    expect(nameOf(long('x'))).toBe(nameOf(long('x')))
  })
})

describe('a file that was read', () => {
  const known = { path: '/s', inode: 1, bornMs: 2, offset: 3 } as Folded
  it.each<[string, object, boolean]>([
    ['the same', {}, true],
    ['longer', { size: 4 }, false],
    ['another one', { ino: 9 }, false],
    ['made later, with the same number', { birthtimeMs: 9 }, false],
    ['no file', { isFile: () => false }, false],
  ])('is unchanged if it is %s', (_what, more, isSame) => {
    const stat = { ino: 1, birthtimeMs: 2, size: 3, isFile: () => true, ...more } as Stats
    expect(isUnchanged(known, stat)).toBe(isSame)
  })
})

describe('more sessions than are remembered', () => {
  it('are read from their files again', () => {
    const store = createFileState(newFolder())
    const names = Array.from({ length: 103 }, (_, i) => `s${i}`)
    for (const [i, name] of names.entries())
      for (let n = 0; n <= i % 3; n++) expectValue(store.commit(name, counting()))
    for (const [i, name] of names.entries()) expect(countIn(expectValue(store.read(name)))).toBe((i % 3) + 1)
  })

  it('in memory are forgotten, those that were used longest ago', () => {
    const store = createMemoryState({ sessionsMax: 2 })
    const has = (name: string) => expectValue(store.read(name)).actors.size === 1
    for (const name of ['a', 'b']) expectValue(store.commit(name, counting()))
    expect(has('a')).toBe(true)
    expectValue(store.commit('c', counting()))
    expect([has('b'), has('a'), has('c')]).toEqual([false, true, true])
  })
})

describe('a session that moves to a new file', () => {
  const folders = () => {
    const folder = newFolder()
    const store = createFileState(folder, { compactBytes: 300 })
    const grow = () => {
      const before = readdirSync(folder).length
      for (let n = 0; readdirSync(folder).length === before && n < 50; n++)
        expectValue(store.commit('s', counting()))
      return readdirSync(folder).sort()
    }
    expectValue(store.commit('s', counting()))
    return { folder, store, grow }
  }

  it('leaves the number of the next file in every old one, and nothing else behind', () => {
    const { folder, grow } = folders()
    expect(grow()).toEqual(['s.1.session.jsonl', 's.session.jsonl'])
    expect(readFileSync(join(folder, 's.session.jsonl'), 'utf8')).toBe('{"moved":1}\n')
    expect(grow()).toEqual(['s.1.session.jsonl', 's.2.session.jsonl', 's.session.jsonl'])
    for (const old of ['s.session.jsonl', 's.1.session.jsonl'])
      expect(readFileSync(join(folder, old), 'utf8')).toBe('{"moved":2}\n')
    expect(statSync(join(folder, 's.2.session.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('is forgotten with all of its files', () => {
    const { folder, grow } = folders()
    const names = grow()
    const old = new Date('2026-01-01')
    utimesSync(join(folder, names[0] ?? ''), old, old)
    expect(forgetSessions(folder, new Date('2026-03-01'))).toEqual({ ok: true, value: 0 })
    for (const name of names) utimesSync(join(folder, name), old, old)
    expect(forgetSessions(folder, new Date('2026-03-01'))).toEqual({ ok: true, value: 1 })
    expect(readdirSync(folder)).toEqual([])
  })

  it('is an empty one if its files were deleted, and begins again', () => {
    const { folder, store, grow } = folders()
    const names = grow()
    expectValue(store.read('s'))
    for (const name of names) rmSync(join(folder, name))
    expect(expectValue(store.read('s')).actors.size).toBe(0)
    expect(countIn(expectValue(store.commit('s', counting())).state)).toBe(1)
    expect(readdirSync(folder)).toEqual(['s.session.jsonl'])
  })

  it('does not move again for a large snapshot before many commits follow', () => {
    const folder = newFolder()
    const store = createFileState(folder, { compactBytes: 300 })
    const large: StateChange = {
      kind: 'patch',
      patch: { op: 'set', key: 'k', value: 'x'.repeat(3_000) },
    }
    expectValue(store.commit('s', counting({ changes: [large] })))
    expect(readdirSync(folder)).toHaveLength(2)
    for (let n = 0; n < 40; n++) expectValue(store.commit('s', counting()))
    expect(readdirSync(folder)).toHaveLength(2)
    expect(countIn(expectValue(createFileState(folder).read('s')))).toBe(40)
  })

  it('that leads in a circle is a problem, not an endless one', () => {
    const { folder, store, grow } = folders()
    const names = grow()
    for (const [i, name] of ['s.session.jsonl', 's.1.session.jsonl'].entries()) {
      expect(names).toContain(name)
      writeFileSync(join(folder, name), `{"moved":${1 - i}}\n`)
    }
    expect(store.read('s')).toMatchObject({
      problem: { code: 'STATE_UNREADABLE', message: expect.stringContaining('moved more than 1000 times') },
    })
  })
})

describe('a line that is not a commit', () => {
  const stateWith = (line: string) => {
    const folder = newFolder()
    const store = createFileState(folder)
    expectValue(store.commit('s', counting()))
    appendFileSync(fileIn(folder), `${line}\n`)
    return expectValue(createFileState(folder).read('s'))
  }

  it.each([
    ['a snapshot that is none', '{"snapshot":{"actors":7}}'],
    ['a snapshot without keys', '{"snapshot":{"actors":[],"recorded":[],"spawns":[],"damaged":false}}'],
    ['a move to no number', '{"moved":"1"}'],
    ['a move that is cut', '{"moved":'],
  ])('does not change the state: %s', (_what, line) => {
    expect(countIn(stateWith(line))).toBe(1)
  })

  it('can be a snapshot, on which the commits build', () => {
    const actor = { skills: [], inbox: [], memory: {}, version: 4, ended: false }
    const snapshot = { actors: [['sub', actor]], recorded: [], spawns: [], keys: [], damaged: true }
    const state = stateWith(JSON.stringify({ snapshot }))
    expect([state.actors.get('sub'), countIn(state), state.damaged]).toEqual([actor, 1, true])
  })
})
