import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foreignFiles, programFiles, programInputs } from '../handlers/program-files.ts'
import { arePinned, pinOf } from './trust.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-reached-')))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  chmodSync(join(root, path), 0o755)
}

type Files = Readonly<Record<string, string>>
const command = (text: string) => ({ run: { type: 'command', command: text, root } })
const module = (text: string) => ({ run: { type: 'module', module: text, root } })

function pinned(entry: { run: { type: string; root: string } }) {
  const pins = new Map((programFiles(entry) ?? []).map((file) => [file, pinOf(file)]))
  expect(arePinned(programFiles(entry), pins)).toBe(true)
  return () => arePinned(programFiles(entry), pins)
}

const PACKAGE = '{"name":"app","exports":{".":"./main.mjs","./lib":"./lib.mjs"}}'

describe('a changed file that a trusted hook reaches must be trusted again', () => {
  it.each<[string, string, Files, string, string]>([
    [
      'the main of a folder',
      './m.cjs',
      { 'm.cjs': "require('./lib')", 'lib/package.json': '{"main":"a.js"}', 'lib/a.js': '' },
      'lib/package.json',
      '{"main":"b.js"}',
    ],
    [
      'the file that is the main',
      './m.cjs',
      { 'm.cjs': "require('./lib')", 'lib/package.json': '{"main":"a.js"}', 'lib/a.js': '' },
      'lib/a.js',
      'evil()',
    ],
    [
      'a main without its ending',
      './m.cjs',
      { 'm.cjs': "require('./lib')", 'lib/package.json': '{"main":"a"}', 'lib/a.js': '' },
      'lib/a.js',
      'evil()',
    ],
    [
      'a package.json that appears',
      './m.cjs',
      { 'm.cjs': "require('./lib')", 'lib/index.js': '' },
      'lib/package.json',
      '{"main":"b.js"}',
    ],
    [
      'the own name of the package',
      './m.mjs',
      { 'm.mjs': "import 'app/lib'", 'package.json': PACKAGE, 'lib.mjs': '' },
      'lib.mjs',
      'evil()',
    ],
    [
      'what the own name stands for',
      './m.mjs',
      { 'm.mjs': "import 'app/lib'", 'package.json': PACKAGE, 'lib.mjs': '' },
      'package.json',
      PACKAGE.replace('./lib.mjs', './evil.mjs'),
    ],
    [
      'a package that takes the name of another',
      './m.mjs',
      { 'm.mjs': "import 'left-pad'", 'package.json': '{"name":"app"}' },
      'package.json',
      '{"name":"left-pad","exports":"./evil.mjs"}',
    ],
    [
      'a nearer package.json',
      './src/m.mjs',
      { 'src/m.mjs': "import 'left-pad'", 'package.json': '{"name":"app"}' },
      'src/package.json',
      '{"name":"left-pad","exports":"./evil.mjs"}',
    ],
    [
      'an import of an import',
      './m.mjs',
      { 'm.mjs': "import './a.mjs'", 'a.mjs': "import './b.mjs'", 'b.mjs': '' },
      'b.mjs',
      'evil()',
    ],
    [
      'a worker',
      './m.mjs',
      { 'm.mjs': "new Worker(new URL('./w.mjs', import.meta.url))", 'w.mjs': '' },
      'w.mjs',
      'evil()',
    ],
  ])('for a module: %s', (_name, start, files, changed, text) => {
    for (const [path, content] of Object.entries(files)) write(path, content)
    const isTrusted = pinned(module(start))
    write(changed, text)
    expect(isTrusted()).toBe(false)
  })

  it('for a module: a workspace, which is a link in node_modules', () => {
    write('m.mjs', "import 'tools/x.mjs'")
    write('packages/tools/package.json', '{"name":"tools"}')
    write('packages/tools/x.mjs', '')
    mkdirSync(join(root, 'node_modules'))
    symlinkSync('../packages/tools', join(root, 'node_modules/tools'))
    const isTrusted = pinned(module('./m.mjs'))
    write('packages/tools/x.mjs', 'evil()')
    expect(isTrusted()).toBe(false)
  })

  it.each<[string, string, Files, string, string]>([
    [
      'a relative interpreter',
      './check',
      { check: '#!./interp\n', interp: '#!/bin/sh\n' },
      'interp',
      '#!/bin/sh\nevil\n',
    ],
    ['the interpreter of an interpreter', './check', { check: '#!./a\n', a: '#!./b\n', b: '' }, 'b', 'evil'],
    [
      'an interpreter through env',
      './check',
      { check: '#!/usr/bin/env ./interp\n', interp: '' },
      'interp',
      'evil',
    ],
    ['an interpreter that appears', './check', { check: '#!bin/interp\n' }, 'bin/interp', 'evil'],
    [
      'an argument of the interpreter',
      './check',
      { check: '#!/usr/bin/env -S node --import ./hook.mjs\n', 'hook.mjs': '' },
      'hook.mjs',
      'evil()',
    ],
    [
      'a file of variables',
      'node --env-file=.env check.mjs',
      { 'check.mjs': '', '.env': 'A=1\n' },
      '.env',
      'NODE_OPTIONS=--import=./evil.mjs\n',
    ],
    [
      'a file of variables that appears',
      'node --env-file-if-exists=.env check.mjs',
      { 'check.mjs': '' },
      '.env',
      'NODE_OPTIONS=--import=./evil.mjs\n',
    ],
    [
      'a file of variables as a word',
      'node --env-file .env check.mjs',
      { 'check.mjs': '', '.env': '' },
      '.env',
      'A=2\n',
    ],
    [
      'what a file of variables names',
      'node --env-file=.env check.mjs',
      { 'check.mjs': '', '.env': 'NODE_OPTIONS=--import=./pre.mjs\n', 'pre.mjs': '' },
      'pre.mjs',
      'evil()',
    ],
    [
      'a file of variables in the first line',
      './check',
      { check: '#!/usr/bin/env -S node --env-file=.env\n', '.env': '' },
      '.env',
      'NODE_OPTIONS=-r./x\n',
    ],
    [
      'an import of a script',
      'node check.mjs',
      { 'check.mjs': "import './lib.mjs'", 'lib.mjs': "import './deep.mjs'", 'deep.mjs': '' },
      'deep.mjs',
      'evil()',
    ],
    [
      'an import of a file that node preloads',
      'node --import ./pre.mjs check.mjs',
      { 'check.mjs': '', 'pre.mjs': "import './lib.mjs'", 'lib.mjs': '' },
      'lib.mjs',
      'evil()',
    ],
    [
      'a module beside a Python script',
      'python3 tools/check.py',
      { 'tools/check.py': 'import rules\n', 'tools/rules.py': '' },
      'tools/rules.py',
      'evil()',
    ],
    [
      'a module that hides one of Python',
      'python3 check.py',
      { 'check.py': 'import json, os\n' },
      'json.py',
      'evil()',
    ],
    [
      'a module of a module of Python',
      'python3 check.py',
      {
        'check.py': 'from pack import rules\n',
        'pack/__init__.py': '',
        'pack/rules.py': 'from . import deep\n',
        'pack/deep.py': '',
      },
      'pack/deep.py',
      'evil()',
    ],
    [
      'a module on a path that the script adds',
      'python3 bin/check.py',
      { 'bin/check.py': 'import sys\nsys.path.insert(0, "..")\nimport rules\n', 'rules.py': '' },
      'rules.py',
      'evil()',
    ],
    [
      'a file that a script sources',
      './check.sh',
      { 'check.sh': '. ./lib.sh\n', 'lib.sh': '' },
      'lib.sh',
      'evil',
    ],
    [
      'what a script reads in beside itself',
      './h/check.sh',
      { 'h/check.sh': '. "$(dirname "$0")/lib.sh"\n', 'h/lib.sh': '' },
      'h/lib.sh',
      'evil',
    ],
    [
      'what a script starts',
      'bash check.sh',
      { 'check.sh': 'python3 rules.py\n', 'rules.py': '' },
      'rules.py',
      'evil()',
    ],
    [
      'what a script without an ending starts',
      './check',
      { check: '#!/usr/bin/env bash\nnode ./x.mjs\n', 'x.mjs': '' },
      'x.mjs',
      'evil()',
    ],
    [
      'NODE_OPTIONS in a script',
      './check.sh',
      { 'check.sh': 'NODE_OPTIONS="--import ./pre.mjs" node x.mjs\n', 'pre.mjs': '' },
      'pre.mjs',
      'evil()',
    ],
    [
      'NODE_OPTIONS that a script exports',
      './check.sh',
      { 'check.sh': 'export NODE_OPTIONS="--require ./pre.cjs"\nnode x.mjs\n', 'pre.cjs': '' },
      'pre.cjs',
      'evil()',
    ],
    [
      'what bun loads by itself',
      'bun run check.ts',
      { 'check.ts': '' },
      'bunfig.toml',
      'preload = ["./evil.ts"]',
    ],
    [
      'the import map of deno',
      'deno run check.ts',
      { 'check.ts': '' },
      'deno.json',
      '{"imports":{"x":"./evil.ts"}}',
    ],
  ])('for a command: %s', (_name, line, files, changed, text) => {
    for (const [path, content] of Object.entries(files)) write(path, content)
    const isTrusted = pinned(command(line))
    write(changed, text)
    expect(isTrusted()).toBe(false)
  })

  it('for a Python function: a module that it imports', () => {
    write('pack/hooks.py', 'from pack import deep\nimport near\n')
    write('pack/deep.py', '')
    const entry = { run: { type: 'command', python: 'pack.hooks.audit', root } }
    const isTrusted = pinned(entry)
    write('near.py', 'evil()')
    expect(isTrusted()).toBe(false)
  })

  it('for a hook of the user: files that a script of the project reaches', () => {
    write('check.sh', '. ./lib.sh\n')
    write('lib.sh', '')
    const found = foreignFiles(command('./check.sh'), { project: root, own: '/home/me', home: '/home/me' })
    expect(found).toEqual([join(root, 'check.sh'), join(root, 'lib.sh')])
  })
})

describe('the loaded files are unknown', () => {
  it.each<[string, Files]>([
    ['node check.mjs', { 'check.mjs': 'import(process.argv[2])' }],
    ['node check.mjs', { 'check.mjs': "import '#alias'" }],
    ['node --run check', {}],
    ['node --experimental-default-config-file check.mjs', { 'check.mjs': '' }],
    ['python3 check.py', { 'check.py': 'import importlib\nimportlib.import_module(name)\n' }],
    ['./check', { check: '#!/usr/bin/env -S PATH=./bin tool\n' }],
    ['./check', { check: '#!/usr/bin/env -S python3 -m tool\n' }],
    [
      'node check.mjs',
      { 'check.mjs': "import 'app/lib'", 'package.json': '{"name":"app","exports":{"./*":"./*.mjs"}}' },
    ],
  ])('for %s %j', (line, files) => {
    for (const [path, content] of Object.entries(files)) write(path, content)
    expect(programFiles(command(line))).toBeUndefined()
  })
})

describe('a file that is not code of the hook', () => {
  it('needs no new trust: dependencies of the package, data, other scripts', () => {
    write('package.json', '{"name":"app","dependencies":{}}')
    write('m.mjs', "import 'left-pad'\nimport { readFileSync } from 'node:fs'\n")
    const isTrusted = pinned(module('./m.mjs'))
    write('package.json', '{"name":"app","dependencies":{"x":"1"}}')
    write('data.json', '{}')
    expect(isTrusted()).toBe(true)
    expect(programInputs(module('./m.mjs'), '/home/me')).toContain(join(root, 'package.json'))
  })

  it('is not waited for and not followed forever', () => {
    write('a.sh', '. ./b.sh\n')
    write('b.sh', '. ./a.sh\n')
    expect(programFiles(command('./a.sh'))).toEqual([join(root, 'a.sh'), join(root, 'b.sh')])
  })
})
