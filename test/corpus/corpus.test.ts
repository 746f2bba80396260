import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createJudge, isFlagged, PACKS, type Verdict } from './judge.ts'
import { EXPECTATIONS, type Family, isStop, type Row, readFamilies } from './rows.ts'
import {
  type Baseline,
  baselineOf,
  kept,
  readBaseline,
  type Version,
  versionOf,
  weakened,
} from './versions.ts'

const families = readFamilies()
const rows = families.flatMap((family) => family.rows)

/** With fewer rows than this, a family no longer covers its topic. */
const LEAST_OF_BIG = 250
const LEAST = 120
const BIG = ['git', 'files', 'wrappers', 'secrets', 'data-not-code', 'everyday']

describe('the rows of the corpus', () => {
  it('have unique ids that name their family', () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    const strangers = families.flatMap(({ name, rows }) =>
      rows.filter((row) => !new RegExp(`^${name}-\\d{4}$`).test(row.id)).map((row) => row.id),
    )
    expect(strangers).toEqual([])
  })

  it('each have one input, an expectation and a reason', () => {
    const wrong = rows.filter(
      (row) =>
        (row.command === undefined) === (row.event === undefined) ||
        !EXPECTATIONS.includes(row.expect) ||
        !/^\S.*[.?]$/.test(row.why),
    )
    expect(wrong.map((row) => row.id)).toEqual([])
  })

  it('have no input twice', () => {
    const inputs = rows.map(({ command, event, cwd, platform }) =>
      JSON.stringify([command, event, cwd, platform]),
    )
    expect(inputs.filter((input, at) => inputs.indexOf(input) !== at)).toEqual([])
  })

  it('are many in every family', () => {
    const few = families.filter(({ name, rows }) => rows.length < (BIG.includes(name) ? LEAST_OF_BIG : LEAST))
    expect(few.map(({ name, rows }) => `${name}: ${rows.length}`)).toEqual([])
    expect(families.filter(({ rows }) => !rows.some((row) => !isStop(row.expect)))).toEqual([])
  })
})

describe('the packs on the corpus', async () => {
  const judge = await createJudge()
  const production = await createJudge([...PACKS, 'production'])

  it.each(families.map((family) => [family.name, family] as const))(
    'answer %s as expected',
    async (name, { rows }) => {
      const failures: string[] = []
      for (const row of rows) {
        const verdict = await (name === 'production' ? production : judge)(row)
        if (!meets(row, verdict)) failures.push(describeFailure(row, verdict))
      }
      expect(failures, `${failures.length} of ${rows.length} rows of ${name}`).toEqual([])
    },
  )
})

describe('the expectations of the corpus', () => {
  const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  const changelog = text('../../CHANGELOG.md')
  const accepting = process.env.CORPUS_ACCEPT === '1'
  const isNew = !existsSync(new URL('baseline.json', import.meta.url))
  const before: Baseline = isNew ? {} : readBaseline(JSON.parse(text('baseline.json')))

  it('get weaker only with a line in the changelog', () => {
    expect(weakened(before, families, changelog)).toEqual([])
  })

  it('are those of VERSION.json and baseline.json; CORPUS_ACCEPT=1 writes both again', () => {
    const accepted: Version | undefined = isNew ? undefined : JSON.parse(text('VERSION.json'))
    const now = versionOf(families, accepted?.version ?? 1)
    if (accepting && weakened(before, families, changelog).length === 0) {
      const changed = accepted !== undefined && accepted.expectations !== now.expectations
      writeJson('VERSION.json', { ...now, version: now.version + (changed ? 1 : 0) })
      writeJson('baseline.json', kept(baselineOf(families)))
      return
    }
    expect(accepted).toEqual(now)
    expect(before).toEqual(baselineOf(families))
  })
})

describe('the check of expectations', () => {
  const family = (...rows: Partial<Row>[]): Family[] => [
    {
      name: 'x',
      rows: rows.map((row) => ({ id: 'x-0001', command: 'a', expect: 'stop', why: 'A.', ...row })),
    },
  ]

  it.each<[string, Partial<Row>, Partial<Row> | undefined, number]>([
    ['accepts the same expectation', { expect: 'deny' }, { expect: 'deny' }, 0],
    ['accepts a stricter expectation', { expect: 'pass' }, { expect: 'deny' }, 0],
    ['accepts ask instead of stop', { expect: 'stop' }, { expect: 'ask' }, 0],
    ['accepts stop instead of ask', { expect: 'ask' }, { expect: 'stop' }, 0],
    ['reports a weaker expectation', { expect: 'deny' }, { expect: 'ask' }, 1],
    ['reports a row that now passes', { expect: 'ask' }, { expect: 'pass' }, 1],
    ['reports a row that is missing', { expect: 'pass' }, undefined, 1],
    ['reports a row with another input', { command: 'a' }, { command: 'b' }, 1],
  ])('%s', (_name, before, now, complaints) => {
    const rows = now === undefined ? [] : family(now)
    expect(weakened(baselineOf(family(before)), rows, '')).toHaveLength(complaints)
    expect(weakened(baselineOf(family(before)), rows, 'Row x-0001 is a harmless act.')).toEqual([])
    expect(weakened(baselineOf(family(before)), rows, 'Row x-00012 is.')).toHaveLength(complaints)
  })
})

function meets(row: Row, verdict: Verdict): boolean {
  if (row.expect === 'pass') return !isFlagged(verdict)
  return row.expect === 'stop' ? isFlagged(verdict) : verdict.effect === row.expect
}

function describeFailure(row: Row, { effect, guard }: Verdict): string {
  const input = row.command ?? JSON.stringify(row.event)
  const by = guard === undefined ? '' : ` by ${guard}`
  return `${row.id} expects ${row.expect}, got ${effect}${by}: ${JSON.stringify(input.slice(0, 160))} (${row.why})`
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(new URL(name, import.meta.url), `${JSON.stringify(value, null, 2)}\n`)
}
