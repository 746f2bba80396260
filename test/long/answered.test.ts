import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installOwnCopy } from '../../src/commands/own-copy.ts'
import { type Home, homeLayout } from '../../src/system/home.ts'

/**
 * Node that ends before it has answered: a module that is loaded first, another program in its place. It often ends with
 * exit code 0 and prints nothing, which an agent reads as "no opinion", so nothing but the code of an answer may count.
 */

let folder: string
let home: Home
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-answered-'))
  home = homeLayout(join(folder, 'home'), { HOME: folder })
  installOwnCopy(home)
  // The client uses no daemon and starts none, because others can write here. So each hook is a process of Node.
  mkdirSync(home.run, { recursive: true })
  chmodSync(home.run, 0o770)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Starter = 'the installed hook' | 'holdpoint hook'
const STARTERS = ['the installed hook', 'holdpoint hook'] as const

function hook(
  starter: Starter,
  command: string,
  onFailure: string,
  env: Readonly<Record<string, string>> = {},
) {
  const [program, ...words] = starter === 'holdpoint hook' ? [home.command, 'hook'] : [home.hookProgram]
  const options = ['--home', home.folder, '--event', 'PreToolUse', '--on-failure', onFailure]
  const payload = {
    ...{ session_id: 's', cwd: folder, hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_input: { command } },
  }
  const ran = spawnSync(program ?? '', [...words, 'claude-code', ...options], {
    ...{ cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } },
    ...{ input: JSON.stringify(payload), encoding: 'utf8' },
  })
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

/** Another program where `init` noted Node. */
function replaceNode(by: string): void {
  for (const launcher of [home.nodeProgram, home.command]) {
    const text = readFileSync(launcher, 'utf8')
    expect(text).toContain(`node='${process.execPath}'`)
    writeFileSync(launcher, text.replace(`node='${process.execPath}'`, `node='${by}'`))
  }
}

function script(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o755 })
  return path
}

const early = (code: string) => script('early.cjs', code)

describe.each(STARTERS)('%s', (starter) => {
  it('passes on the answers of Node: no opinion, and a denial', () => {
    expect(hook(starter, 'ls', 'deny')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(hook(starter, 'git push --force', 'deny').stdout).toContain('"deny"')
  })

  it('does not load what the environment of the caller names', () => {
    const env = { NODE_OPTIONS: `--require ${early('process.exit(0)')}` }
    expect(hook(starter, 'ls', 'deny', env)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(hook(starter, 'git push --force', 'deny', env).stdout).toContain('"deny"')
  })

  it.each<[string, () => string]>([
    ['is /bin/true', () => '/bin/true'],
    ['loads a module that ends it', () => preloading('process.exit(0)')],
    [
      'loads a module that prints an answer and ends it',
      () => preloading(`console.log('{}'); process.exit(0)`),
    ],
    ['loads a module that ends it at its first read', () => preloading(READS)],
    ['is killed', () => script('killed', '#!/bin/sh\nkill -9 $$\n')],
  ])('follows its failure policy if Node %s', (_name, node) => {
    replaceNode(node())
    const denied = hook(starter, 'git push --force', 'deny')
    expect(denied.exitCode).toBe(2)
    expect(denied.stderr).toMatch(/before it answered|no answer in time/i)
    const passed = hook(starter, 'git push --force', 'pass')
    expect(passed.exitCode).toBe(0)
    expect(passed.stderr).toMatch(/before it answered|without an answer|no answer in time/i)
  })
})

const READS = `const fs = require('node:fs'); fs.read = () => process.exit(0); fs.readSync = fs.read`

function preloading(code: string): string {
  return script('node', `#!/bin/sh\nexec '${process.execPath}' --require '${early(code)}' "$@"\n`)
}
