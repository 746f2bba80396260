import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash } from '../../src/library/testing/events.ts'
import {
  configured,
  DEPLOY,
  decided,
  inFreshProject,
  LIST,
  type Parts,
  packText,
  problems,
  project,
  trust,
  withPack,
  write,
} from '../packs-of-others/project.ts'

inFreshProject()

describe('a pack that goes wrong denies what it could have denied:', () => {
  it.each<[string, Parts, string]>([
    ['throws', { check: `() => { throw new Error('broken') }` }, 'broken'],
    [
      'hangs',
      { check: `() => new Promise(() => setInterval(() => {}, 1000))`, guard: 'timeoutMs: 300' },
      'in time',
    ],
    ['blocks its process', { check: `() => { for (;;) {} }`, guard: 'timeoutMs: 300' }, 'in time'],
    ['changes its input', { check: `({ event }) => { event.kind = 'Stop'; return null }` }, 'read only'],
    ['answers allow', { check: `() => ({ effect: 'allow' })` }, 'may only stop calls'],
    ['answers something else', { check: `() => ({ cought: 'x' })` }, '`cought`'],
    ['answers true', { check: `() => true` }, 'not `{ caught }`'],
    ['catches a number', { check: `() => ({ caught: 7 })` }, 'not a text'],
    ['ends its process', { check: `() => process.exit(0)` }, 'exited with code 0'],
    [
      'prints garbage to every pipe',
      {
        check: `() => { for (const fd of [1, 2, 4]) require('node:fs').writeSync(fd, '{}\\n'); return null }`,
      },
      'pipe',
    ],
    ['answers ten megabytes', { check: `() => ({ caught: 'x'.repeat(1e7) })` }, 'bytes'],
  ])('a guard that %s', async (_what, parts, says) => {
    await withPack(parts)
    const { effect, reason } = await decided()
    expect([effect, reason]).toEqual(['deny', expect.stringContaining(says)])
    expect((await decided(LIST())).effect).toBe('pass')
  })

  it.each<[string, Parts, string]>([
    ['cannot be loaded', { before: `throw new Error('broken at import')` }, 'broken at import'],
    ['is not TypeScript', { before: `const const` }, 'cannot be used'],
    ['ends its process while it is loaded', { before: 'process.exit(3)' }, 'code 3'],
    ['has no examples', { guard: 'examples: { stops: [], passes: [] }' }, 'no examples'],
    [
      'has another id',
      { pack: `id: 'other', guards: [{ ...noDeploy, id: 'other/no-deploy' }]` },
      'has the id `other`',
    ],
    [
      'has a guard with the id of another pack',
      { guard: `id: 'safety/git/force-push'` },
      'must be like `acme/no-deploy`',
    ],
    ['needs a newer Holdpoint', { pack: `holdpoint: '>=99'` }, 'needs Holdpoint >=99'],
    ['may allow', { guard: 'grants: true' }, '`grants`'],
    ['runs commands', { guard: 'needs: async () => undefined' }, '`needs`'],
    ['fails open', { guard: `onFailure: 'pass'` }, '`onFailure`'],
    ['was made by another version', { pack: `[Symbol.for('holdpoint/made-by')]: '0.0.1'` }, 'two versions'],
    [
      'has options that no schema has',
      { pack: `options: { a: { type: 'date' } }` },
      'without a known `type`',
    ],
  ])('a pack that %s', async (_what, parts, says) => {
    await withPack(parts)
    expect(await problems()).toMatchObject([
      {
        message: expect.stringContaining(says),
        file: join(project(), '.holdpoint/config.yaml'),
        line: 3,
        key: 'packs.acme',
      },
    ])
    for (const event of [DEPLOY(), LIST(), bash('ls')]) expect((await decided(event)).effect).toBe('deny')
  })

  it('a pack whose dependency is missing, until that is installed', async () => {
    await withPack({ before: `import 'some-words'` })
    expect((await decided()).effect).toBe('deny')
    write(
      'node_modules/some-words/package.json',
      '{"name":"some-words","type":"module","exports":"./index.js"}',
    )
    write('node_modules/some-words/index.js', `export const word = 'x'`)
    expect((await decided()).effect).toBe('ask')
  })

  it('a pack with the name of a built-in one', async () => {
    write('policies/pack.ts', packText({}))
    write('.holdpoint/config.yaml', 'version: 1\npacks: { safety: { from: ./policies/pack.ts } }\n')
    await trust()
    expect(await problems()).toMatchObject([{ code: 'PACK_TAKEN', key: 'packs.safety', line: 2 }])
    expect((await decided(LIST())).effect).toBe('deny')
  })

  it('two files that take a pack of one name from different places', async () => {
    await withPack({})
    write('policies/other.ts', packText({}))
    write('.holdpoint/config.local.yaml', 'version: 1\npacks: { acme: { from: ./policies/other.ts } }\n')
    await trust()
    expect(await problems()).toMatchObject([
      { code: 'PACK_TAKEN', file: join(project(), '.holdpoint/config.local.yaml') },
    ])
    expect((await decided(LIST())).effect).toBe('deny')
  })

  it('a pack that names no file', async () => {
    configured('{ from: 7 }')
    await trust()
    expect((await problems()).map(({ code }) => code)).toEqual(['CONFIG_VALUE', 'PACK_FAILED'])
    expect((await decided(LIST())).effect).toBe('deny')
  })
})
