import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedPackage } from '../installed.ts'

let folder: string
let dist: string
let caches: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-code-cache-'))
  dist = join(folder, 'holdpoint', 'dist')
  caches = join(dist, 'code-cache')
  cpSync(installedPackage(), join(folder, 'holdpoint'), { recursive: true })
  rmSync(caches, { recursive: true, force: true })
  mkdirSync(caches)
  mkdirSync(join(folder, 'project'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const name = `${process.version}-${process.arch}`

function run(program: string, args: readonly string[], input: string) {
  const home = join(folder, 'home')
  return spawnSync(process.execPath, [join(dist, program), ...args, '--home', home], {
    input,
    cwd: join(folder, 'project'),
    env: { PATH: process.env.PATH, HOME: folder },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
}

const hook = (command: string) =>
  run(
    'hook.cjs',
    ['claude-code'],
    JSON.stringify({
      ...{ session_id: 's', cwd: join(folder, 'project'), hook_event_name: 'PreToolUse' },
      ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: command },
    }),
  )

function check(rows: number) {
  const lines = Array.from({ length: rows }, (_, i) => JSON.stringify({ id: i, command: `ls -la part-${i}` }))
  return run('holdpoint.cjs', ['check', '--jsonl'], `${lines.join('\n')}\n`)
}

/** Whether the JavaScript engine takes the cache for the file, as a new process would load it. */
function isAccepted(cache: string, file: string): boolean {
  const code = `
    const [, cache, file] = process.argv
    const { readFileSync } = require('node:fs')
    const { Script } = require('node:vm')
    const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: readFileSync(cache) })
    process.stdout.write(String(script.cachedDataRejected))`
  const said = execFileSync(process.execPath, ['-e', code, join(caches, cache), join(dist, file)])
  return said.toString() === 'false'
}

describe('code caches', () => {
  it('are made by the first command that has a plan, and are accepted', () => {
    expect(hook('git status').stdout).toBe('{}\n')
    expect(readdirSync(caches)).toEqual([`${name}.first`])
    expect(hook('git log').stdout).toBe('{}\n')
    expect(readdirSync(caches).sort()).toEqual([name, `${name}-command`, `${name}.first`].sort())
    expect(isAccepted(name, 'programs.cjs')).toBe(true)
    expect(isAccepted(`${name}-command`, 'programs-command.cjs')).toBe(true)
  })

  it('of batches are made by a long one, although it ran with other flags, and are accepted', () => {
    expect(check(1).status).toBe(0)
    expect(readdirSync(caches).filter((each) => each.includes('batch'))).toEqual([])
    const first = check(30_000)
    expect(first.status).toBe(0)
    for (const part of ['', '-command', '-rest'])
      expect(isAccepted(`${name}-batch${part}`, `programs${part}.cjs`), part).toBe(true)
    expect(check(30_000).stdout).toBe(first.stdout)
  })

  it('that are damaged change no answer', () => {
    for (const cache of readdirSync(caches)) writeFileSync(join(caches, cache), 'not a cache')
    expect(hook('git push --force origin main').stdout).toContain('"deny"')
    expect(check(2).stdout.split('\n')).toHaveLength(3)
  })
})
