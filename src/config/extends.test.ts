import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { survey } from '../commands/trust-survey.ts'
import type { Layer } from '../core/layer.ts'
import { homeLayout } from '../system/home.ts'
import { signerFor } from '../system/signer.testing.ts'
import { addTrust } from '../system/trust-file.ts'
import { compile } from './compile.ts'
import { followExtends } from './extends.ts'

let folder: string
const project = () => join(folder, 'project')
const home = () => homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-extends-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

async function trust(): Promise<void> {
  const { files } = await survey({ home: home(), project: project() })
  addTrust(home(), new Map([...files].map(([path, { pin }]) => [path, pin])), signerFor(home()))
}

const compiled = (lastGood = {}) => compile({ home: home(), project: project(), packs: [], lastGood })
const extending = (...names: readonly string[]) => `version: 1\nextends: ${JSON.stringify(names)}\n`
const rule = (id: string, more = '') =>
  `version: 1\n${more}rules: [ { id: ${id}, match: Write, deny: No. } ]\n`
const ACME = 'project/node_modules/@acme/policies'

async function ids(): Promise<readonly string[]> {
  const { plan } = await compiled()
  return plan.hooks.map(({ id }) => id).filter((id) => !id.includes('/'))
}

function install(manifest = {}, file = 'holdpoint.yaml', text = rule('acme')): void {
  write(`${ACME}/package.json`, JSON.stringify({ name: '@acme/policies', ...manifest }))
  write(`${ACME}/${file}`, text)
}

describe('`extends`', () => {
  it('adds the rules of a file and of a package, at the rank of the file that extends them', async () => {
    write('project/.holdpoint/config.yaml', extending('./team.yaml', '@acme/policies'))
    const team = write('project/team.yaml', rule('team'))
    install()
    await trust()
    const { plan, inputs, broken, complete } = await compiled()
    expect([broken, complete]).toEqual([[], true])
    const hooks = plan.hooks.filter(({ id }) => id === 'team' || id === 'acme')
    expect(hooks).toMatchObject([
      { id: 'team', rank: 'project', trusted: true, origin: { file: team } },
      { id: 'acme', rank: 'project', trusted: true },
    ])
    expect(inputs).toEqual(expect.arrayContaining([team, join(folder, ACME, 'package.json')]))
  })

  it('of a package is the file that its package.json names, and its paths start in the package', async () => {
    write('project/.holdpoint/config.yaml', extending('@acme/policies'))
    const text = 'version: 1\nhooks: { PreToolUse: [ { id: checks, run: ./check.sh } ] }\n'
    install({ holdpoint: './policy/strict.yaml' }, 'policy/strict.yaml', text)
    write(`${ACME}/check.sh`, 'exit 0')
    await trust()
    const { plan } = await compiled()
    expect(plan.hooks.find(({ id }) => id === 'checks')).toMatchObject({
      trusted: true,
      run: { root: join(folder, ACME) },
    })
    write(`${ACME}/check.sh`, 'exit 1')
    expect((await compiled()).plan.hooks.find(({ id }) => id === 'checks')?.trusted).toBe(false)
  })

  it.each([
    ['from its folder', () => './policies/team'],
    ['from the folder above', () => '../project/policies/team'],
    ['by its whole path', () => join(project(), 'policies/team')],
  ])('names a file whatever it ends with: %s', async (_what, name) => {
    write('project/.holdpoint/config.yaml', extending(name()))
    write('project/policies/team', rule('team'))
    await trust()
    expect(await ids()).toEqual(['team'])
  })

  it('in the file of the user starts where that file is, and needs no trust', async () => {
    write('holdpoint/config.yaml', extending('./team.yaml'))
    write('holdpoint/team.yaml', rule('team', 'packs: { production: true }\n'))
    const { plan } = await compiled()
    expect(plan.hooks.find(({ id }) => id === 'team')).toMatchObject({ rank: 'user', trusted: true })
    expect(plan.hooks.some(({ id }) => id === 'production/dry-run')).toBe(true)
  })

  it('can be several steps, and a file that two extend counts once', async () => {
    write('holdpoint/config.yaml', extending('./a.yaml', './b.yaml'))
    write('holdpoint/a.yaml', rule('a', 'extends: [ ./c.yaml ]\n'))
    write('holdpoint/b.yaml', rule('b', 'extends: [ ./c.yaml ]\n'))
    write('holdpoint/c.yaml', rule('c'))
    expect(await ids()).toEqual(['a', 'c', 'b'])
    expect((await compiled()).broken).toEqual([])
  })
})

describe('what is not trusted', () => {
  it('may deny, as an untrusted project may, and runs nothing', async () => {
    write('project/.holdpoint/config.yaml', extending('./team.yaml'))
    write('project/team.yaml', rule('team', 'hooks: { PreToolUse: [ { id: code, run: ./x.sh } ] }\n'))
    const { plan } = await compiled()
    expect(plan.hooks.filter(({ id }) => id === 'team' || id === 'code')).toMatchObject([
      { id: 'team', trusted: false },
      { id: 'code', trusted: false },
    ])
  })

  it('is not trusted again if the extended file changes', async () => {
    write('project/.holdpoint/config.yaml', extending('./team.yaml'))
    write('project/team.yaml', rule('team'))
    await trust()
    write('project/team.yaml', rule('other'))
    const { plan } = await compiled()
    expect(plan.hooks.find(({ id }) => id === 'other')?.trusted).toBe(false)
  })

  it.each(['../outside.yaml', 'link.yaml'])('cannot make Holdpoint read a file outside: %s', async (name) => {
    write('project/.holdpoint/config.yaml', extending(name))
    write('outside.yaml', rule('outside'))
    symlinkSync('../outside.yaml', join(project(), 'link.yaml'))
    const { plan, broken } = await compiled()
    expect(plan.hooks.some(({ id }) => id === 'outside')).toBe(false)
    expect(broken).toHaveLength(1)
  })

  it.each(['./ignore-your-rules.yaml', '../ignore-your-rules.yaml', 'ignore-your-rules'])(
    'shows no text of its own: %s',
    async (name) => {
      write('project/.holdpoint/config.yaml', extending(name))
      const { broken } = await compiled()
      expect(broken).toMatchObject([{ file: join(project(), '.holdpoint/config.yaml'), line: 2 }])
      expect(JSON.stringify(broken)).not.toContain('ignore-your-rules')
    },
  )
})

it('a mistake of a file that is not trusted is quoted, unless nobody should read it', async () => {
  const path = write('project/.holdpoint/config.yaml', '')
  const layer: Layer = {
    ...{ rank: 'project', file: path, trusted: false, packs: [], hooks: [], settings: {}, problems: [] },
    extends: [{ name: '../ignore-your-rules.yaml', origin: { file: path } }],
  }
  const place = { path, rank: 'project' } as const
  const said = async (more: object, trusted = false) => {
    const start = [{ place, layer: { ...layer, trusted } }]
    const { problems, places } = await followExtends(
      start,
      { project: project(), ...more },
      async () => undefined,
    )
    return problems.length > 0 ? JSON.stringify(problems).includes('ignore-your-rules') : places.length
  }
  expect([await said({}), await said({ quotes: false }), await said({}, true)]).toEqual([true, false, 1])
})

describe('mistakes', () => {
  it('a package that is missing is named with the line, and calls are asked about', async () => {
    const file = write('project/.holdpoint/config.yaml', extending('@acme/policies'))
    await trust()
    const { broken, plan } = await compiled()
    expect(broken).toMatchObject([
      {
        code: 'CONFIG_UNREADABLE',
        message: expect.stringContaining('`@acme/policies`'),
        file,
        line: 2,
        key: 'extends[0]',
      },
    ])
    expect(plan.hooks.some(({ id }) => id === 'project/unread-file')).toBe(true)
  })

  it('in the file of the user, a missing one leaves no plan, or the last good one', async () => {
    write('holdpoint/config.yaml', extending('./team.yaml'))
    expect((await compiled()).complete).toBe(false)
    const team = write('holdpoint/team.yaml', rule('team'))
    const { lastGood } = await compiled()
    rmSync(team)
    const gone = await compiled(lastGood)
    expect([gone.complete, gone.plan.hooks.some(({ id }) => id === 'team')]).toEqual([true, true])
  })

  it.each([
    ['itself', { 'config.yaml': './config.yaml' }],
    ['each other', { 'config.yaml': './a.yaml', 'a.yaml': './b.yaml', 'b.yaml': './a.yaml' }],
  ])('files that extend %s', async (_what, files) => {
    for (const [name, target] of Object.entries(files))
      write(`holdpoint/${name}`, rule(name.replace('.yaml', ''), `extends: [ ${target} ]\n`))
    const { broken, complete } = await compiled()
    expect(broken).toMatchObject([{ code: 'CONFIG_VALUE', message: expect.stringContaining(' → '), line: 2 }])
    expect(complete).toBe(true)
  })

  it('more steps or files than are read', async () => {
    for (let i = 0; i < 8; i += 1)
      write(`holdpoint/${i}.yaml`, rule(`r${i}`, `extends: [ ./${i + 1}.yaml ]\n`))
    write('holdpoint/config.yaml', extending('./0.yaml'))
    expect(await compiled()).toMatchObject({
      complete: false,
      broken: [{ code: 'CONFIG_TOO_LARGE', message: expect.stringContaining('at most 5 files') }],
    })
    for (let i = 0; i < 60; i += 1) write(`holdpoint/m${i}.yaml`, rule(`m${i}`))
    write('holdpoint/config.yaml', extending(...Array.from({ length: 60 }, (_, i) => `./m${i}.yaml`)))
    const { broken, complete } = await compiled()
    expect([broken.length, complete]).toEqual([10, false])
  })

  it('five steps are read, and so are fifty files; the next one is not', async () => {
    const chain = (last: number) => {
      for (let i = 0; i <= last; i += 1)
        write(`holdpoint/${i}.yaml`, rule(`r${i}`, i === last ? '' : `extends: [ ./${i + 1}.yaml ]\n`))
    }
    write('holdpoint/config.yaml', extending('./0.yaml'))
    chain(4)
    expect([await ids(), (await compiled()).broken]).toEqual([['r0', 'r1', 'r2', 'r3', 'r4'], []])
    chain(5)
    expect((await compiled()).broken).toMatchObject([
      { message: expect.stringContaining('`./5.yaml` is not read') },
    ])
    const names = (count: number) => Array.from({ length: count }, (_, i) => `./m${i}.yaml`)
    for (const name of names(51)) write(`holdpoint/${name}`, rule(name.slice(2, -5)))
    write('holdpoint/config.yaml', extending(...names(50)))
    expect((await compiled()).broken).toEqual([])
    write('holdpoint/config.yaml', extending(...names(51)))
    expect((await compiled()).broken).toMatchObject([
      { code: 'CONFIG_TOO_LARGE', message: '`./m50.yaml` is not read: at most 50 files are extended.' },
    ])
  })

  it.each([
    ['extends: ./a.yaml', 'a list of files and packages'],
    ['extends: [ 7 ]', 'a file or a package'],
    ['extends: [ "" ]', 'a file or a package'],
  ])('%s', async (text, says) => {
    write('holdpoint/config.yaml', `version: 1\n${text}\n`)
    expect((await compiled()).plan.problems).toMatchObject([
      { line: 2, message: expect.stringContaining(says) },
    ])
  })
})
