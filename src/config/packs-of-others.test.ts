import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Pack } from '../core/guard.ts'
import type { Rank } from '../core/hook.ts'
import type { FoundPack, Layer, PackEntry } from '../core/layer.ts'
import { homeLayout } from '../system/home.ts'
import { pinOf } from '../system/trust.ts'
import { packPrograms, withPacksOfOthers } from './packs-of-others.ts'

let folder: string
const project = () => join(folder, 'project')
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-packs-of-others-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text = ''): string {
  const file = join(project(), name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** A pack with one guard. */
const packText = (id = 'acme') => `
import { defineGuard, definePack } from 'holdpoint'
const guard = defineGuard({
  id: '${id}/no-deploy', title: 'Deployment by an agent', why: 'Only a person deploys.',
  instead: 'ask the user to run the deployment.', on: ['PreToolUse'], match: 'mcp__deploy__start',
  modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
  examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
  check: () => ({ caught: 'starts a deployment' }),
})
export default definePack({ id: '${id}', title: 'Rules of Acme', guards: [guard] })
`
const from = (module: string) => ({ module, root: project() })
const origin = { file: 'f.yaml', line: 3, key: 'packs.acme' }
const entryOf = (module: string | undefined, more: Partial<PackEntry> = {}): PackEntry => ({
  pack: 'acme',
  options: {},
  ...(module === undefined ? {} : { from: from(module) }),
  origin,
  ...more,
})
const layerOf = (packs: readonly PackEntry[], rank: Rank = 'project', more: Partial<Layer> = {}): Layer => ({
  ...{ rank, trusted: true, hooks: [], settings: {}, problems: [] },
  file: join(project(), '.holdpoint', 'config.yaml'),
  packs,
  ...more,
})
const BUILT_IN = new Map([['safety', { id: 'safety' } as unknown as Pack]])
const pinned = (...files: readonly string[]) => new Map(files.map((file) => [file, pinOf(file)]))

const looked = (layers: readonly Layer[], trust: ReadonlyMap<string, string> = new Map()) =>
  withPacksOfOthers(layers, BUILT_IN, trust, {
    home: homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') }),
    project: project(),
  })

/** What was found for each entry of each layer. */
async function found(layers: readonly Layer[], trust?: ReadonlyMap<string, string>) {
  return (await looked(layers, trust)).flatMap(({ packs }) => packs.map((entry) => entry.found))
}

const failure = (each: FoundPack | undefined) => (each?.kind === 'failed' ? each : undefined)
const message = (each: FoundPack | undefined) => failure(each)?.problem.message

describe('packs of others', () => {
  it('are not looked for if no entry names a module', async () => {
    const layers = [layerOf([entryOf(undefined, { pack: 'safety' })])]
    expect(await looked(layers)).toBe(layers)
  })

  it('leave built-in packs, and those that are off, as they are', async () => {
    const kept = [entryOf(undefined, { pack: 'safety' }), entryOf('./pack.ts', { off: true })]
    const [layer] = await looked([layerOf([...kept, entryOf('./pack.ts')])])
    expect(layer?.packs.slice(0, 2)).toEqual(kept)
    expect(layer?.packs[2]?.found?.kind).toBe('failed')
  })

  it('say what they guard if they are what was trusted', async () => {
    const file = write('pack.ts', packText())
    expect(await found([layerOf([entryOf('./pack.ts')])], pinned(file))).toMatchObject([
      { kind: 'described', pack: { id: 'acme', guards: [{ id: 'acme/no-deploy' }] } },
    ])
  })

  it('must have the name that the file gives them', async () => {
    const file = write('pack.ts', packText('other'))
    expect(await found([layerOf([entryOf('./pack.ts')])], pinned(file))).toMatchObject([
      {
        failure: 'import',
        problem: {
          code: 'PACK_INVALID',
          message: 'The pack from ./pack.ts has the id `other`, not `acme`.',
          fix: 'Write it as `other` below `packs`.',
        },
      },
    ])
  })

  it('that cannot be loaded are tried again at the next call', async () => {
    const file = write('pack.mjs', 'throw new Error("broken")')
    const [only] = await found([layerOf([entryOf('./pack.mjs')])], pinned(file))
    expect(only).toMatchObject({ failure: 'import', keepMs: 0, problem: { code: 'PACK_FAILED', ...origin } })
    expect(failure(only)?.problem.fix).toBeUndefined()
  })

  it('that need another version of Holdpoint are not loaded', async () => {
    write('package.json', '{"name":"acme","engines":{"holdpoint":">=99"}}')
    const file = write('pack.mjs', packText())
    const [only] = await found([layerOf([entryOf('./pack.mjs')])], pinned(file))
    expect(only).toMatchObject({ problem: { code: 'PACK_INVALID' } })
    expect(message(only)).toContain('needs Holdpoint >=99')
  })
})

describe('the name of a pack', () => {
  it('cannot be that of a built-in one', async () => {
    const entry = entryOf('./pack.ts', { pack: 'safety' })
    expect(await found([layerOf([entry])])).toMatchObject([
      {
        failure: 'import',
        problem: {
          code: 'PACK_TAKEN',
          message: 'The pack `safety` from ./pack.ts has the name of a built-in pack.',
        },
      },
    ])
  })

  it('belongs to the module that has it first, and others may take the same pack', async () => {
    const files = ['pack.ts', 'other.ts'].map((name) => write(name, packText()))
    const layers = [
      layerOf([entryOf('./pack.ts')]),
      layerOf([entryOf('./other.ts')], 'local'),
      layerOf([entryOf('./pack.ts')], 'local'),
      layerOf([entryOf('./pack.ts', { from: { module: './pack.ts', root: join(project(), 'x') } })], 'local'),
    ]
    const all = await found(layers, pinned(...files))
    expect(all.map((each) => each?.kind)).toEqual(['described', 'failed', 'described', 'failed'])
    expect([all[1], all[3]].map((each) => failure(each)?.problem.code)).toEqual(['PACK_TAKEN', 'PACK_TAKEN'])
    expect(message(all[1])).toBe(
      'The pack `acme` from ./other.ts has the name of a pack that another file takes from ./pack.ts.',
    )
  })

  it('is not taken by a pack that cannot be used', async () => {
    write('pack.ts', packText())
    const other = write('other.ts', packText())
    const layers = [layerOf([entryOf('./pack.ts')]), layerOf([entryOf('./other.ts')], 'local')]
    const all = await found(layers, pinned(other))
    expect(all.map((each) => each?.kind)).toEqual(['failed', 'described'])
  })

  it('with a module that has none says so', async () => {
    expect((await found([layerOf([entryOf('')])])).map(message)).toEqual([
      '`from` of the pack `acme` names no file and no package.',
    ])
  })
})

describe('a pack that nobody trusts', () => {
  it('does not run, with a warning that names it, and is no failure', async () => {
    write('pack.ts', packText())
    expect(await found([layerOf([entryOf('./pack.ts')])])).toEqual([
      {
        kind: 'failed',
        failure: 'untrusted',
        problem: {
          code: 'HOOK_UNTRUSTED',
          severity: 'warning',
          message:
            'The pack `acme` from ./pack.ts is not trusted, so it does not run. To review it, run `holdpoint trust`.',
          ...origin,
        },
      },
    ])
  })

  it('in a file that is not trusted is not named, whatever it is called', async () => {
    const file = write('pack.ts', packText())
    const entries = [entryOf('./pack.ts'), entryOf('', { pack: 'safety' })]
    const all = await found([layerOf(entries, 'project', { trusted: false })], pinned(file))
    expect(all.map((each) => failure(each)?.failure)).toEqual(['untrusted', 'untrusted'])
    expect(all.map(message)).toEqual([
      ...Array(2).fill(
        'A pack of this file is not trusted, so it does not run. To review it, run `holdpoint trust`.',
      ),
    ])
  })

  it('never runs where managed policy forbids the code of projects', async () => {
    const file = write('pack.ts', packText())
    const forbidding = layerOf([], 'managed', { settings: { projectCode: 'forbidden' } })
    const entry = () => entryOf('./pack.ts')
    const all = await found(
      [forbidding, layerOf([entry()], 'user'), layerOf([entry()]), layerOf([entry()], 'local')],
      pinned(file),
    )
    expect(all.map((each) => each?.kind)).toEqual(['described', 'failed', 'failed'])
    for (const each of all.slice(1)) {
      expect(each).toMatchObject({ failure: 'untrusted', problem: { fix: expect.any(String) } })
      expect(message(each)).toBe('Managed policy forbids code from projects, so the pack `acme` never runs.')
    }
    // Only managed policy forbids it.
    const user = layerOf([], 'user', { settings: { projectCode: 'forbidden' } })
    expect((await found([user, layerOf([entry()])], pinned(file)))[0]?.kind).toBe('described')
  })
})

describe('a pack that changed since it was trusted', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `part${i}.mjs`)
  const importing = (count: number) =>
    names(count)
      .map((name) => `import './${name}'\n`)
      .join('')

  it.each([
    [1, ''],
    [3, ''],
    [4, ' and 1 more'],
    [6, ' and 3 more'],
  ])('denies what it might have denied, and names at most three of %d files', async (count, more) => {
    const file = write('pack.mjs', importing(count))
    const files = names(count).map((name) => write(name))
    const trust = pinned(file, ...files)
    names(count).forEach((name) => void write(name, 'changed()'))
    expect(await found([layerOf([entryOf('./pack.mjs')])], trust)).toEqual([
      {
        kind: 'failed',
        failure: 'import',
        problem: {
          ...origin,
          code: 'HOOK_UNTRUSTED',
          message: `The pack \`acme\` from ./pack.mjs is not what was trusted: ${files.slice(0, 3).join(', ')}${more}.`,
          fix: 'Read what changed, then run `holdpoint trust`.',
        },
      },
    ])
  })

  it('loads files whose names are computed: it cannot be trusted at all', async () => {
    const file = write('pack.mjs', 'await import(process.env.PART)\n')
    expect(await found([layerOf([entryOf('./pack.mjs')])], pinned(file))).toMatchObject([
      { failure: 'import', problem: { message: expect.stringContaining('whose names are computed') } },
    ])
  })
})

it('packs that name a module start a program; those that are off or built in do not', () => {
  const entries = [entryOf(undefined), entryOf('./a.ts', { off: true }), entryOf('./b.ts')]
  expect(packPrograms({ packs: entries })).toEqual([
    {
      ...{ on: ['PreToolUse'], match: {}, actor: {}, origin },
      run: { type: 'pack', pack: 'acme', module: './b.ts', root: project() },
    },
  ])
})
