import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkRequirements, citationsIn, mentionsIn, scenariosIn } from '../gates/requirements.ts'
import { collectTests } from '../gates/requirements-collected.ts'
import { exists, readTree } from '../gates/tree.ts'
import { chapters } from '../hosts/scenarios.ts'
import { PARTS, REQUIREMENTS, type Requirement } from '../requirements.ts'

/** The list of requirements against the tests that `npm test` runs. Slow, because vitest loads every test to list it. */

const ID = /R-\d+-\d+|K-(?:2[7-9]|[3-9]\d)/
const isTestCode = (path: string) =>
  (path.startsWith('test/') || /\.(?:test|contract)\.ts$/.test(path)) &&
  /\.(?:ts|jsonl)$/.test(path) &&
  !/^test\/(?:gates\/|requirements\.ts$|long\/requirements\.test\.ts$)/.test(path) &&
  !path.includes('/node_modules/')

test('every requirement is proved, waits for a part that is not here, or needs no test', () => {
  const files = readTree(['src', 'bin', 'test'], isTestCode)
  const citing = [...files].filter(([path, text]) => path.endsWith('.test.ts') && ID.test(text))
  const parts = Object.entries(PARTS).filter(([, path]) => exists(path))
  const evidence = {
    citations: citationsIn(collectTests(citing.map(([path]) => path))),
    mentions: mentionsIn(files),
    present: new Set(parts.map(([part]) => part)),
    scenarios: scenariosIn(chapters),
  }
  expect(checkRequirements(REQUIREMENTS, evidence)).toEqual([])
})

/** Nine requirements of one document that are marked as cited. */
const NINE: readonly Requirement[] = Array.from({ length: 9 }, (_, index) => ({
  id: `R-000-0${index + 1}`,
  says: `${index}`,
  status: { cited: true },
}))

/** Mistakes in a separate tree, collected like this repository. */
describe('a citation', () => {
  const SEEDS = {
    'src/named.test.ts': `it('holds (R-000-01)', () => {})`,
    'src/suite.test.ts': `describe('a suite (R-000-02)', () => { it('holds', () => {}) })`,
    'src/table.test.ts': `it.each(['R-000-03'])('%s holds', () => {})`,
    'src/comment.test.ts': `// R-000-04\nit('holds', () => {})`,
    'src/skipped.test.ts': `it.skip('holds (R-000-05)', () => {})\nit('runs', () => {})`,
    'src/skipped-suite.test.ts': `describe.skip('a suite (R-000-06)', () => { it('holds', () => {}) })\nit('runs', () => {})`,
    'src/todo.test.ts': `it.todo('holds (R-000-07)')\nit('runs', () => {})`,
    'test/long/slow.test.ts': `it('holds (R-000-08)', () => {})`,
    'test/hosts/real.test.ts': `it('holds (R-000-09)', () => {})`,
    'src/unknown.test.ts': `it('holds (R-000-10)', () => {})`,
  }
  let root: string
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'holdpoint-seeded-'))
    symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(root, 'node_modules'))
    for (const [path, text] of Object.entries(SEEDS)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), `import { describe, it } from 'vitest'\n${text}\n`)
    }
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('is the name of a test that npm test runs, and nothing else', () => {
    const citations = citationsIn(collectTests(Object.keys(SEEDS), root))
    const mentions = mentionsIn(new Map(Object.entries(SEEDS)))
    const onlyIn = (path: string) => expect.stringContaining(`(${path} only mentions it)`)
    expect(
      checkRequirements(NINE, { citations, mentions, present: new Set(), scenarios: new Map() }),
    ).toEqual([
      onlyIn('src/comment.test.ts'),
      onlyIn('src/skipped.test.ts'),
      onlyIn('src/skipped-suite.test.ts'),
      onlyIn('src/todo.test.ts'),
      onlyIn('test/long/slow.test.ts'),
      onlyIn('test/hosts/real.test.ts'),
      'src/unknown.test.ts cites R-000-10, which is not in the list. Correct the id.',
    ])
  })

  test('is not counted in a file that does not load', () => {
    writeFileSync(join(root, 'src/named.test.ts'), `throw new Error('broken')`)
    expect(() => collectTests(['src/named.test.ts'], root)).toThrow('broken')
  })
})
