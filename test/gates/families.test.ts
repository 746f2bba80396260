import { describe, expect, test } from 'vitest'
import { checkFamily } from './families.ts'
import { FAMILIES } from './rooms.ts'
import { exists, readTree } from './tree.ts'

/** Families without a table, and why. Once the table exists, the entry must be removed. */
const pending: readonly { readonly family: string; readonly reason: string }[] = []

const isPending = (family: string) => pending.some((entry) => entry.family === family)

test.each(FAMILIES.filter((family) => !isPending(family)))(
  'the table, folders and tests of %s agree',
  (family) => {
    expect(
      checkFamily(
        family,
        readTree([`src/${family}`], (path) => path.endsWith('.ts')),
      ),
    ).toEqual([])
  },
)

test('no family with a table is marked as pending', () => {
  expect(pending.filter(({ family }) => exists(`src/${family}/index.ts`))).toEqual([])
})

describe('the check of families', () => {
  const good = {
    'src/core/host.ts': 'export interface Host {}',
    'src/hosts/host.contract.ts': 'export function hostContract() {}',
    'src/hosts/index.ts': `export const HOSTS = { codex: () => import('./codex/host.ts') }`,
    'src/hosts/codex/host.ts': 'export const host = {}',
    'src/hosts/codex/host.test.ts': `import { hostContract } from '../host.contract.ts'\nhostContract({ host })`,
  }
  const check = (more: Readonly<Record<string, string>>) =>
    checkFamily('hosts', new Map(Object.entries({ ...good, ...more })))

  test('accepts a correct family', () => {
    expect(check({})).toEqual([])
  })

  test.each([
    [
      'a folder is not in the table',
      { 'src/hosts/x/host.ts': '' },
      ['does not name x', 'hosts/x has no test'],
    ],
    [
      'the table names what is not there',
      { 'src/hosts/index.ts': `${good['src/hosts/index.ts']}\nimport('./x/host.ts')` },
      ['names x, which has no folder'],
    ],
    [
      'a member has another name in the table',
      { 'src/hosts/index.ts': `const t = { 'open-ai': () => import('./codex/host.ts') }` },
      ['calls codex "open-ai"'],
    ],
    ['a member has no test', { 'src/hosts/codex/host.test.ts': '' }, ['hosts/codex has no test']],
    [
      'a test only mentions the suite',
      { 'src/hosts/codex/host.test.ts': `import '../host.contract.ts'\n// hostContract()` },
      ['hosts/codex has no test'],
    ],
    [
      'a test calls a suite of its own',
      { 'src/hosts/codex/host.test.ts': `import './my.contract.ts'\nhostContract()` },
      ['hosts/codex has no test'],
    ],
  ])('reports that %s', (_name, more, says) => {
    expect(check(more)).toEqual(says.map((text) => expect.stringContaining(text)))
  })

  test('fails if there is no table', () => {
    expect(checkFamily('hosts', new Map())).toEqual([expect.stringContaining('index.ts is missing')])
  })
})
