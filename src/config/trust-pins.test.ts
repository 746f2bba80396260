import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Rank } from '../core/hook.ts'
import type { HookEntry, Layer } from '../core/layer.ts'
import { homeLayout } from '../system/home.ts'
import { pinOf } from '../system/trust.ts'
import { filesToPin, unclearCommands, watchedFiles, withPins } from './trust-pins.ts'

let folder: string
const project = () => join(folder, 'project')
const where = () => ({
  home: homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') }),
  project: project(),
})
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-pins-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function script(name: string, text = 'exit 0', root = project()): string {
  const file = join(root, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const entryOf = (run: HookEntry['run']): HookEntry => ({
  on: ['PreToolUse'],
  match: {},
  actor: {},
  run: { root: project(), ...run },
  origin: { file: 'f.yaml' },
})
const command = (text: string) => entryOf({ type: 'command', command: text })
/** A contract with these commands. */
const contract = (...commands: readonly string[]) =>
  entryOf({
    type: 'contract',
    command: commands.join('\n'),
    contract: { commands: commands.map((run) => ({ run })) },
  })
const layerOf = (hooks: readonly HookEntry[], rank: Rank = 'project', more: Partial<Layer> = {}): Layer => ({
  ...{ rank, trusted: true, packs: [], settings: {}, problems: [] },
  file:
    rank === 'user' ? join(folder, 'holdpoint', 'config.yaml') : join(project(), '.holdpoint', 'config.yaml'),
  hooks,
  ...more,
})
const pinned = (...files: readonly string[]) => new Map(files.map((file) => [file, pinOf(file)]))
const firstOf = (layer: Layer) => layer.hooks[0]

describe('a hook of a trusted file', () => {
  it('is trusted as long as the files that it starts are those that were read', () => {
    const file = script('check.sh')
    const layer = layerOf([command('./check.sh'), command('true')])
    const trust = pinned(file)
    expect(withPins(layer, trust, where())).toEqual(layer)
    expect(firstOf(withPins(layer, new Map(), where()))?.trusted).toBe(false)
    script('check.sh', 'exit 1')
    const changed = withPins(layer, trust, where()).hooks
    expect(changed.map(({ trusted }) => trusted)).toEqual([false, undefined])
  })

  it('is not trusted if nobody can tell what it starts', () => {
    const layer = layerOf([command('$(cat list) ./check.sh')])
    expect(filesToPin(layer.hooks[0] as HookEntry, layer, where())).toBeUndefined()
    expect(firstOf(withPins(layer, new Map(), where()))?.trusted).toBe(false)
  })

  it('is left as it is in a file that is not trusted', () => {
    const layer = layerOf([command('./check.sh'), contract('./check.sh')], 'project', { trusted: false })
    expect(withPins(layer, new Map(), where())).toBe(layer)
  })

  it("in the user's own file needs trust only for files of the project", () => {
    const file = script('check.sh')
    const own = script('own.sh', 'exit 0', join(folder, 'holdpoint'))
    const layer = layerOf([command('./check.sh'), command(own)], 'user')
    const trustOf = (trust: ReadonlyMap<string, string>) =>
      withPins(layer, trust, where()).hooks.map(({ trusted }) => trusted)
    expect(trustOf(new Map())).toEqual([false, undefined])
    expect(trustOf(pinned(file))).toEqual([undefined, undefined])
    expect(layer.hooks.map((entry) => filesToPin(entry, layer, where()))).toEqual([[file], []])
    expect(filesToPin(command(own), layerOf([]), where())).toEqual([own])
  })
})

describe('a contract of a trusted file', () => {
  it('loses only the commands whose files have changed', () => {
    const [a, b] = [script('a.sh'), script('b.sh')]
    const layer = layerOf([contract('./a.sh', './b.sh', 'true')])
    expect(withPins(layer, pinned(a, b), where())).toEqual(layer)
    script('b.sh', 'exit 1')
    expect(firstOf(withPins(layer, pinned(a), where()))).toEqual({
      ...layer.hooks[0],
      run: {
        ...layer.hooks[0]?.run,
        untrusted: {
          './b.sh': `it starts ${b}, which is not what was trusted. A person has to read it and run \`holdpoint trust\`.`,
        },
      },
    })
  })

  test.each([
    [3, ''],
    [4, ' and 1 more'],
    [6, ' and 3 more'],
  ])('names at most three of %d files', (count, more) => {
    const names = Array.from({ length: count }, (_, i) => `${i}.sh`)
    const files = names.map((name) => script(name))
    const line = names.map((name) => `./${name}`).join('; ')
    const { run } = firstOf(withPins(layerOf([contract(line)]), new Map(), where())) ?? {}
    expect(Object.entries(run?.untrusted ?? {})).toEqual([
      [line, expect.stringMatching(new RegExp(`^it starts ${files.slice(0, 3).join(', ')}${more}, which`))],
    ])
  })

  it('says of a command that nobody can follow what to do instead', () => {
    const layer = layerOf([contract('$(cat list)', 'true')])
    const entry = layer.hooks[0] as HookEntry
    const { run } = firstOf(withPins(layer, new Map(), where())) ?? {}
    expect(run?.untrusted).toEqual({ '$(cat list)': expect.stringContaining('Put it into a script') })
    expect(unclearCommands(entry, layer, where())).toEqual(['$(cat list)'])
    expect(unclearCommands(command('$(cat list)'), layer, where())).toEqual([])
  })

  it('has the files of all commands that can be followed', () => {
    const [a, b] = [script('a.sh'), script('b.sh')]
    const layer = layerOf([])
    expect(filesToPin(contract('./a.sh', '$(cat list)', './b.sh'), layer, where())).toEqual([a, b])
  })
})

describe('the files to watch', () => {
  it('are those that a hook starts, whether they exist or not', () => {
    const [a, b] = ['a.sh', 'b.sh'].map((name) => join(project(), name))
    expect(watchedFiles(command('./a.sh'), layerOf([]), where())).toEqual([a])
    expect(watchedFiles(contract('./a.sh', './b.sh'), layerOf([]), where())).toEqual([a, b])
  })

  it("of the user's own file are also those that they start in turn", () => {
    const layer = layerOf([], 'user')
    const [a, b] = [join(project(), 'a.sh'), join(project(), 'b.sh')]
    expect(new Set(watchedFiles(command('./a.sh'), layer, where()))).toEqual(new Set([a]))
    script('a.sh', '. ./b.sh')
    script('b.sh')
    expect(new Set(watchedFiles(command('./a.sh'), layer, where()))).toEqual(new Set([a, b]))
    expect(new Set(watchedFiles(contract('./a.sh'), layer, where()))).toEqual(new Set([a, b]))
  })
})
