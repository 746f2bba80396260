import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { programFiles } from '../handlers/program-files.ts'
import { moduleFiles } from './module-files.ts'
import { specifiersIn } from './module-imports.ts'
import { arePinned, pinOf } from './trust.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-files-')))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function look(module: string) {
  const { entry, files, ...rest } = moduleFiles(module, root)
  return { entry: entry && relative(root, entry), files: files.map((file) => relative(root, file)), ...rest }
}

describe('the imports of a script', () => {
  it.each<[string, readonly string[], boolean]>([
    [`import a from './a'`, ['./a'], false],
    [`import{a}from"./a"`, ['./a'], false],
    [`import './a'`, ['./a'], false],
    [`import type { A } from './a.ts'`, ['./a.ts'], false],
    [`export * from './a'`, ['./a'], false],
    [`import {\n  a,\n  b,\n} from './a'`, ['./a'], false],
    [`import a from /* why */ './a'`, ['./a'], false],
    [`await import('./a')`, ['./a'], false],
    [`await import( /* x */ './a', { with: { type: 'json' } })`, ['./a'], false],
    ['await import(`./a`)', ['./a'], false],
    [`const a = require('./a')`, ['./a'], false],
    [`const url = 'http://x'; const a = require('./a')`, ['./a'], false],
    ['import(name)', [], true],
    ['import(`./${name}`)', [], true],
    [`require('./' + name)`, [], true],
    [`import('./a'); import(b)`, ['./a'], true],
    [`// import(name)\n/* x\n * require(name)\n */`, [], false],
    ['import.meta.url; form.import(x); x.require(y)', [], false],
    [`import/* a*b */'./a'`, ['./a'], false],
    [`import a from // why\n './a'`, ['./a'], false],
    [`import a from "./it's"`, ["./it's"], false],
    [String.raw`import './\x61.mjs'`, [], true],
    [String.raw`import('./\x61.mjs')`, [], true],
    [`[...require('./a')]`, ['./a'], false],
    [`require?.('./a'); require /* x */ ('./b')`, ['./a', './b'], false],
    ['/* why */ import(name)', [], true],
    ['const x = 2\n* require(name)', [], true],
    ['const load = require; load(x)', [], true],
    [`(require)('./a'); require.call(null, './b')`, [], true],
    [`module.require('./a')`, [], true],
    [`const a = await import.defer('./a')`, [], true],
    [
      `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\nrequire('./a')`,
      ['node:module', './a'],
      false,
    ],
    ['// createRequire is not for us', [], false],
    ['const load = createRequire(import.meta.url)', [], true],
    [`const require = createRequire('/elsewhere/x.js')`, [], true],
    [`import { createRequire as make } from 'module'`, ['module'], true],
    [`createRequire(import.meta.url)('./a')`, [], true],
    // Words of a natural language.
    ["const why = 'taken from ' + place + '\\n' + rest", [' + place + '], false],
    ["say('it comes from ')", [], false],
    ['say("what rules require: a reason", "(what we require.)")', [], false],
    ['const from = 1; Array.from(x); f({ from, import: 2 })', [], false],
  ])('are found in: %s', (text, specifiers, computed) => {
    expect(specifiersIn(text)).toEqual({ specifiers, computed })
  })

  it.each<[string, string, readonly string[], boolean]>([
    ['a long comment', `import a from /* ${'long '.repeat(80)} */ './a'`, ['./a'], false],
    ['a very long comment', `export * from /* ${'long '.repeat(800)} */ './a'`, [], true],
    ['a very long name', `import '${'./'.repeat(800)}a'`, [], true],
  ])('are found after or in %s', (_name, text, specifiers, computed) => {
    expect(specifiersIn(text)).toEqual({ specifiers, computed })
  })
})

it.each(['import/*', 'import(', `import('a');`, 'from ', `from '`, 'from /**/', 'require /* x'])(
  'a megabyte of %s is read at once',
  (text) => {
    expect(specifiersIn(text.repeat(1_000_000 / text.length)).specifiers.length).toBeLessThan(2)
  },
)

describe('the files of a module', () => {
  it('are its own and all it reaches by relative import, once each', () => {
    write('policy/a.ts', `import './b.js'\nimport x from '../lib/c'\nimport 'node:fs'\nimport 'lodash'`)
    write('policy/b.ts', `import './a.ts'`)
    write('lib/c.json', '{}')
    const { entry, files, isClear, isNative } = look('./policy/a.ts')
    expect(entry).toBe('policy/a.ts')
    expect(files).toEqual(expect.arrayContaining(['policy/a.ts', 'policy/b.ts', 'lib/c.json']))
    // Files that would be loaded instead if they appeared.
    expect(files).toEqual(expect.arrayContaining(['policy/b.js', 'lib/c.js', 'lib/c.ts']))
    expect(new Set(files).size).toBe(files.length)
    expect([isClear, isNative]).toEqual([true, false])
  })

  it.each([
    ['plain JavaScript', `import './b.mjs'`, true],
    ['one that needs holdpoint', `import { defineHook } from 'holdpoint'`, false],
    ['one that omits an extension', `import './b'`, false],
  ])('are checked for whether Node can load them itself: %s', (_name, text, isNative) => {
    write('a.mjs', text)
    write('b.mjs', '')
    expect(look('./a.mjs').isNative).toBe(isNative)
  })

  it.each([
    ['a computed name', 'import(x)', false],
    ['an alias of the package', `import '#x'`, false],
    ['a package', `import 'x'`, true],
    ['a query', `import './c.mjs?v=1'`, false],
    ['a fragment', `import './c.mjs#v'`, false],
    ['a path with percent signs', `import './%63.mjs'`, false],
    ['an absolute path with percent signs', `import '/x/%63.mjs'`, false],
    ['an address', `import ' FILE:///x/c.mjs'`, false],
    ['a script in an address', `import 'data:text/javascript,1'`, false],
    ['a custom loader', `const load = createRequire(import.meta.url)`, false],
    ['a package with percent signs', `import 'x/a%b'`, true],
  ])('are checked for names that cannot be known: %s', (_name, text, isClear) => {
    write('a.ts', `import './b.ts'`)
    write('b.ts', text)
    expect(look('a.ts').isClear).toBe(isClear)
  })

  it('include the imports of a file without a known extension', () => {
    write('a.cjs', `require('./b'); require('./c.txt')`)
    write('b', `require('./d.cjs')`)
    write('c.txt', 'import(x)')
    write('d.cjs', '')
    expect(look('./a.cjs')).toMatchObject({ files: expect.arrayContaining(['d.cjs']), isClear: false })
  })

  it('include a link and its target', () => {
    write('real/a.ts', `import './b.ts'`)
    write('real/b.ts', '')
    symlinkSync(join(root, 'real', 'a.ts'), join(root, 'link.ts'))
    expect(look('./link.ts')).toMatchObject({
      entry: 'real/a.ts',
      files: ['link.ts', 'real/a.ts', 'real/b.ts'],
    })
  })

  it.each<[string, object | undefined, string, string | undefined]>([
    ['exports', { exports: './m.js' }, 'pack', 'm.js'],
    ['exports by condition', { exports: { types: './t.d.ts', import: './m.js' } }, 'pack', 'm.js'],
    ['exports by path', { exports: { '.': './x.js', './m': { default: './m.js' } } }, 'pack/m', 'm.js'],
    ['main', { main: './m.js' }, 'pack', 'm.js'],
    ['a path that is not exported', { exports: { '.': './m.js' } }, 'pack/other', undefined],
    ['a missing file', { exports: './gone.js' }, 'pack', undefined],
    ['no package', undefined, 'pack', undefined],
  ])('include the entry of a package: %s', (_name, manifest, module, entry) => {
    if (manifest !== undefined) write('node_modules/pack/package.json', JSON.stringify(manifest))
    write('node_modules/pack/m.js', '')
    const found = look(module)
    expect(found.entry).toBe(entry && `node_modules/pack/${entry}`)
    expect(found.files).toContain('node_modules/pack/package.json')
  })

  it.each(['./nowhere.ts', './a\0b.ts', `./${'x'.repeat(5000)}.ts`])('are none for %j', (module) => {
    expect(look(module).entry).toBeUndefined()
  })
})

describe('the trust of a module', () => {
  const run = () => ({ run: { type: 'module', module: './a.ts', root } })
  const pins = () => new Map((programFiles(run()) ?? []).map((file) => [file, pinOf(file)]))

  it.each<[string, () => void]>([
    ['its own text changes', () => write('a.ts', `import './b'\n// more`)],
    ['a file it imports changes', () => write('b.ts', 'export const b = 2')],
    ['a file appears that would be imported instead', () => write('b.js', '')],
    ['a file it imports is removed', () => rmSync(join(root, 'b.ts'))],
    ['it cannot be read any more', () => write('a.ts', 'import(x)')],
  ])('ends when %s', (_name, change) => {
    write('a.ts', `import './b'`)
    write('b.ts', 'export const b = 1')
    const trusted = pins()
    expect(arePinned(programFiles(run()), trusted)).toBe(true)
    change()
    expect(arePinned(programFiles(run()), trusted)).toBe(false)
  })

  it('cannot be stored for a module that loads files with unknown names', () => {
    write('a.ts', 'import(x)')
    expect(programFiles(run())).toBeUndefined()
  })

  it('does not cover a package that appears later', () => {
    const entry = { run: { type: 'module', module: 'pack', root } }
    const trusted = new Map((programFiles(entry) ?? []).map((file) => [file, pinOf(file)]))
    expect(arePinned(programFiles(entry), trusted)).toBe(true)
    write('node_modules/pack/package.json', '{}')
    write('node_modules/pack/index.js', '')
    expect(arePinned(programFiles(entry), trusted)).toBe(false)
  })
})
