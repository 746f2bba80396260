import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personAt } from '../e2e/terminal.ts'
import { freshPackage } from '../installed.ts'

/**
 * The hooks that the packed program's `init` has written, started as the agent starts them: the native client asks the
 * daemon, and the daemon decides. Without these two a call takes fifty times as long, and every other test would pass.
 */

let folder: string
let project: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-hooks-'))
  project = join(folder, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  const init = holdpoint('init', '--host', 'claude-code', '--scope', 'user', '--yes')
  expect(init.text).toContain('live 13 of 13 events')
})
afterAll(() => {
  personAt({ cwd: project, env: env() }, ['uninstall', '--yes'])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const home = (...path: string[]) => join(folder, '.config', 'holdpoint', ...path)
const env = () => ({ PATH: process.env.PATH, HOME: folder })

/** As a user starts it: by the files of the package, in a fresh home, with nothing else in the environment. */
function holdpoint(...words: readonly string[]) {
  const program = join(freshPackage(), 'dist', 'holdpoint.cjs')
  const ran = spawnSync(process.execPath, [program, ...words], { cwd: project, env: env(), encoding: 'utf8' })
  return { exitCode: ran.status, stdout: ran.stdout, text: `${ran.stdout}${ran.stderr}` }
}

function daemonStatus(): { readonly pid: number; readonly answered: number } {
  return JSON.parse(holdpoint('daemon', 'status', '--json').stdout)
}

interface HookEntry {
  readonly command: string
  readonly args?: readonly string[]
}

/** What the settings say for calls before they run. */
function hookEntry(): HookEntry {
  const settings = JSON.parse(readFileSync(join(folder, '.claude', 'settings.json'), 'utf8'))
  return settings.hooks.PreToolUse[0].hooks[0]
}

let calls = 0
function hook(command: string) {
  calls += 1
  const about = {
    session_id: 's',
    cwd: project,
    hook_event_name: 'PreToolUse',
    tool_use_id: `toolu_${calls}`,
  }
  const input = JSON.stringify({ ...about, tool_name: 'Bash', tool_input: { command } })
  const options = { cwd: project, env: env(), input, encoding: 'utf8' } as const
  const { command: program, args } = hookEntry()
  const { stdout, status } =
    args === undefined ? spawnSync('/bin/sh', ['-c', program], options) : spawnSync(program, args, options)
  return { status, effect: /"permissionDecision":"(\w+)"/.exec(stdout)?.[1] }
}

const COMMANDS = [
  ['git status', undefined],
  ['git push --force origin main', 'deny'],
  ['npm test', undefined],
  ['bash -c "cd / && rm -rf *"', 'deny'],
] as const

describe('the hooks of the packed program', () => {
  it('start the native client', () => {
    const { command } = hookEntry()
    expect(command).toContain(home('bin', 'holdpoint-hook'))
    expect(readFileSync(home('bin', 'holdpoint-hook')).subarray(0, 4).toString('latin1')).toBe('\x7fELF')
  })

  it('count in what the daemon says of itself, and are in the journal', () => {
    const before = daemonStatus()
    for (const [command, effect] of COMMANDS) expect(hook(command).effect).toBe(effect)
    const after = daemonStatus()
    expect(after.pid).toBe(before.pid)
    expect(after.answered - before.answered).toBe(COMMANDS.length)
    expect(holdpoint('daemon', 'status').text).not.toContain('[object')
    const log = holdpoint('log', '--json', '--limit', '200').stdout.trim().split('\n')
    const inputs = log.map((line) => JSON.parse(line).input as string)
    for (const [command] of COMMANDS)
      expect(inputs.filter((input) => input === command).length).toBeGreaterThan(0)
  })

  it('are answered by the daemon, and by no process of their own', () => {
    const started = join(folder, 'started')
    const launcher = home('bin', 'holdpoint-node')
    const own = readFileSync(launcher)
    // The client starts this where no daemon answers.
    writeFileSync(launcher, `#!/bin/sh\necho "$*" >>'${started}'\nexit 1\n`)
    chmodSync(launcher, 0o755)
    try {
      for (const [command, effect] of COMMANDS)
        expect([command, hook(command)]).toEqual([command, { status: 0, effect }])
      expect(existsSync(started)).toBe(false)
      // Without it, the same call needs that process: so this test would see one.
      expect(holdpoint('daemon', 'stop').text).toContain('The daemon was stopped.')
      expect(hook('git status')).not.toEqual({ status: 0, effect: undefined })
      expect(readFileSync(started, 'utf8')).toContain('hook')
    } finally {
      writeFileSync(launcher, own)
    }
  })
})

it('a command of the package uses the compiled code of the copy that init made, and writes nothing into the package', () => {
  const kept = () =>
    readdirSync(home('runtime', 'current', 'dist', 'code-cache')).filter((name) => name.includes('-guards'))
  expect(kept()).toEqual([])
  const first = holdpoint('guards')
  expect(first.exitCode).toBe(0)
  expect(kept().length).toBeGreaterThan(0)
  expect(holdpoint('guards')).toEqual(first)
  expect(readdirSync(join(freshPackage(), 'dist'))).not.toContain('code-cache')
})
