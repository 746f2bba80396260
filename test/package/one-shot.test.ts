import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshPackage } from '../installed.ts'

/** The built hook without a daemon: what it loads, and what happens if that is not there. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-one-shot-'))
  for (const name of ['project', 'home']) mkdirSync(join(folder, name))
  cpSync(join(freshPackage(), 'package.json'), join(folder, 'package.json'))
  cpSync(join(freshPackage(), 'dist'), join(folder, 'dist'), { recursive: true })
  mkdirSync(join(folder, 'dist', 'code-cache'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const COMMAND = 'programs-command.cjs'
const REST = 'programs-rest.cjs'

/** The size of each cache, by the part of the programs that it is for. */
function cacheSizes(): Readonly<Record<string, number>> {
  const own = `${process.version}-${process.arch}`
  const files = readdirSync(join(folder, 'dist', 'code-cache')).filter((name) => !name.endsWith('.first'))
  const sizes = files.map((name) => [
    name.replace(own, ''),
    statSync(join(folder, 'dist', 'code-cache', name)).size,
  ])
  return Object.fromEntries(sizes)
}

function call(tool: string, input: object) {
  const cwd = join(folder, 'project')
  const event = { session_id: 's', cwd, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input }
  const words = ['claude-code', '--home', join(folder, 'home'), '--event', 'PreToolUse']
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'dist', 'hook.cjs'), ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
    input: JSON.stringify(event),
    encoding: 'utf8',
  })
  return { status, stdout }
}

const bash = (command: string) => call('Bash', { command })
const PASSED = { status: 0, stdout: '{}\n' }
const DENIED = { status: 0, stdout: expect.stringContaining('"permissionDecision":"deny"') }

describe('the hook without a daemon', () => {
  it('needs nothing of the command line once it has its plan, and its cache has little else', () => {
    for (let times = 0; times < 2; times += 1) expect(bash('ls')).toEqual(PASSED)
    writeFileSync(join(folder, 'dist', REST), 'throw new Error("not needed")')
    for (const command of ['git status && ls -la', 'node -e "1" | sort', 'cd src && npm test', './unknown']) {
      expect([command, bash(command)]).toEqual([command, PASSED])
    }
    expect(bash('bash -c "git push --force origin main"')).toEqual(DENIED)
    expect(bash('python3 -c "import shutil; shutil.rmtree(\'/\')"')).toEqual(DENIED)
    expect(call('Read', { file_path: join(folder, 'project', 'a.txt') })).toEqual(PASSED)
    expect(cacheSizes()).toEqual({ '': expect.any(Number), '-command': expect.any(Number) })
    expect(Object.values(cacheSizes()).reduce((sum, size) => sum + size)).toBeLessThan(1_200_000)
  })

  it('needs nothing for commands once it has its plan, if it is asked about another tool', () => {
    expect(bash('ls')).toEqual(PASSED)
    writeFileSync(join(folder, 'dist', COMMAND), 'throw new Error("not needed")')
    for (const [tool, input] of [
      ['Read', { file_path: join(folder, 'project', 'a.txt') }],
      ['Grep', { pattern: 'a', path: 'src' }],
      ['WebFetch', { url: 'https://example.com', prompt: 'What is it about?' }],
    ] as const)
      expect([tool, call(tool, input)]).toEqual([tool, PASSED])
    expect(bash('ls').status).toBe(2)
  })

  it('makes its caches at the first command after it has its plan', () => {
    for (let times = 0; times < 3; times += 1) {
      expect(call('Read', { file_path: join(folder, 'project', 'a.txt') })).toEqual(PASSED)
      expect(cacheSizes()).toEqual({})
    }
    expect(bash('ls')).toEqual(PASSED)
    expect(Object.keys(cacheSizes())).toEqual(['', '-command'])
  })

  it.each(
    [REST, COMMAND].flatMap((file) => ['missing', 'broken', 'cut off'].map((how) => [file, how] as const)),
  )('stops the call if %s is %s', (file, how) => {
    const path = join(folder, 'dist', file)
    if (how === 'missing') rmSync(path)
    else writeFileSync(path, how === 'broken' ? 'throw new Error("broken")' : '(function(require')
    expect(bash('ls').status).toBe(2)
  })

  it.each(['missing', 'broken', 'cut off'])(
    'stops the call where no code is kept, too, if a file is %s',
    (how) => {
      rmSync(join(folder, 'dist', 'code-cache'), { recursive: true })
      expect(bash('ls')).toEqual(PASSED)
      const path = join(folder, 'dist', COMMAND)
      const whole = readFileSync(path, 'utf8')
      if (how === 'missing') rmSync(path)
      else writeFileSync(path, how === 'broken' ? ';'.repeat(whole.length) : whole.slice(0, -10_000))
      expect(bash('ls').status).toBe(2)
      expect(readdirSync(join(folder, 'dist'))).not.toContain('code-cache')
    },
  )
})
