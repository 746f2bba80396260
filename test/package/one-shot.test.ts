import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

const REST = 'programs-rest.cjs'

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
    const caches = readdirSync(join(folder, 'dist', 'code-cache')).filter((name) => !name.endsWith('.first'))
    expect(caches).toEqual([`${process.version}-${process.arch}`])
    expect(statSync(join(folder, 'dist', 'code-cache', caches[0] ?? '')).size).toBeLessThan(1_200_000)
  })

  it.each(['missing', 'broken', 'cut off'])('stops the call if a part of the programs is %s', (how) => {
    const path = join(folder, 'dist', REST)
    if (how === 'missing') rmSync(path)
    else writeFileSync(path, how === 'broken' ? 'throw new Error("broken")' : '(function(require')
    expect(bash('ls').status).toBe(2)
  })
})
