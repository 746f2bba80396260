import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

type Files = Readonly<Record<string, string>>

/** Trusted code writes the file `ran`, and the code that replaces it writes `evil`. */
it.each<[string, string, Files, string, string]>([
  [
    'a relative interpreter',
    './check',
    { check: '#!./interp\n', interp: '#!/bin/sh\ntouch ran\n' },
    'interp',
    '#!/bin/sh\ntouch evil\n',
  ],
  [
    'a file that a script reads in',
    './check.sh',
    { 'check.sh': '#!/bin/sh\n. ./lib.sh\n', 'lib.sh': 'touch ran\n' },
    'lib.sh',
    'touch evil\n',
  ],
  [
    'an import of an import',
    'node check.mjs',
    {
      'check.mjs': "import './a.mjs'",
      'a.mjs': "import './b.mjs'",
      'b.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync('ran', '')",
    },
    'b.mjs',
    "import { writeFileSync } from 'node:fs'\nwriteFileSync('evil', '')",
  ],
  [
    'the main of a folder',
    'node check.cjs',
    {
      'check.cjs': "require('./lib')",
      'lib/package.json': '{"main":"good.js"}',
      'lib/good.js': "require('node:fs').writeFileSync('ran', '')",
      'lib/bad.js': "require('node:fs').writeFileSync('evil', '')",
    },
    'lib/package.json',
    '{"main":"bad.js"}',
  ],
  [
    'a file of variables',
    'node --env-file=.vars check.mjs',
    {
      'check.mjs': "import { writeFileSync } from 'node:fs'\nwriteFileSync(process.env.NAME, '')",
      '.vars': 'NAME=ran\n',
    },
    '.vars',
    'NAME=evil\n',
  ],
  [
    'a module that hides one of Python',
    'python3 check.py',
    { 'check.py': 'import colorsys\nopen("ran", "w")\n' },
    'colorsys.py',
    'open("evil", "w")\n',
  ],
])(
  'trusted code that has changed does not run without a new confirmation: %s',
  async (_name, run, files, changed, text) => {
    const ls = (id: string) =>
      sandbox.hook(call('Bash', { command: 'ls' }, { tool_use_id: id, cwd: sandbox.project }))
    const isThere = (name: string) => existsSync(join(sandbox.project, name))
    sandbox.config(`version: 1\nhooks: { PreToolUse: [ { run: ${JSON.stringify(run)} } ] }\n`)
    for (const [path, content] of Object.entries(files)) sandbox.write(path, content, 0o755)
    expect((await sandbox.person(['trust', '--yes'])).exitCode).toBe(0)
    await ls('1')
    expect(isThere('ran')).toBe(true)
    sandbox.write(changed, text, 0o755)
    expect((await ls('2')).stdout).toContain('did not run, because it is not trusted')
    expect(isThere('evil')).toBe(false)
    expect((await sandbox.person(['trust', '--yes'])).exitCode).toBe(0)
    await ls('3')
    expect(isThere('evil')).toBe(true)
  },
)
