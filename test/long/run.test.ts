import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'

/** `holdpoint run`: an agent is started only if its hooks would run. */

let sandbox: Sandbox
let env: Readonly<Record<string, string>>
const user = () => join(sandbox.folder, 'user')
const settings = () => join(user(), '.claude', 'settings.json')

beforeEach(async () => {
  sandbox = createSandbox()
  const programs = join(sandbox.folder, 'programs')
  mkdirSync(programs)
  mkdirSync(user())
  // The agent prints its arguments, and may change its settings.
  const lines = [
    '#!/bin/sh',
    '[ "$1" = --version ] && { echo 2.1.325; exit 0; }',
    'echo "started $*"',
    '[ -z "$DURING" ] || eval "$DURING"',
    'exit 3',
  ]
  writeFileSync(join(programs, 'claude'), `${lines.join('\n')}\n`)
  chmodSync(join(programs, 'claude'), 0o755)
  env = { PATH: `${programs}:${process.env.PATH}`, HOME: user() }
  const ran = await sandbox.run(['init', '--host', 'claude-code', '--yes'], { env })
  expect(ran.stderr).toBe('')
})
afterEach(async () => {
  await sandbox.person(['uninstall', '--yes'], env)
  await sandbox.remove()
})

const run = (args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
  sandbox.run(['run', 'claude', ...args], { env: { ...env, ...more } })

describe('holdpoint run', () => {
  it('starts an agent with its arguments, and exits with its exit code', async () => {
    expect(await run(['-p', 'hi', '--model', 'opus'])).toMatchObject({
      exitCode: 3,
      stdout: 'started -p hi --model opus\n',
      stderr: '',
    })
  })

  it.each<[string, () => void, readonly string[], Readonly<Record<string, string>>]>([
    [
      'the project switches hooks off',
      () => sandbox.write('.claude/settings.json', '{"disableAllHooks":true}'),
      [],
      {},
    ],
    [
      'the settings of the checkout switch hooks off',
      () => sandbox.write('.claude/settings.local.json', '{"disable\\u0041llHooks":true}'),
      [],
      {},
    ],
    [
      'a hook was removed',
      () => writeFileSync(settings(), readFileSync(settings(), 'utf8').replace('"PreToolUse"', '"Other"')),
      [],
      {},
    ],
    ['the settings are missing', () => rmSync(settings()), [], {}],
    ['an option disables hooks', () => undefined, ['--bare', '-p', 'hi'], {}],
    ['an option names other settings', () => undefined, ['--settings', '/tmp/none.json'], {}],
    ['a variable disables hooks', () => undefined, [], { CLAUDE_CODE_SIMPLE: '1' }],
    ['a variable names another folder', () => undefined, [], { CLAUDE_CONFIG_DIR: '/nowhere' }],
  ])('does not start an agent if %s', async (_name, arrange, args, more) => {
    arrange()
    const ran = await run(args, more)
    expect(ran).toMatchObject({ exitCode: 77, stdout: '' })
    expect(ran.stderr).toContain('[HOOKS_OFF]')
  })

  it('reports at the end that the agent lost its hooks while it ran', async () => {
    const DURING = 'mkdir -p .claude; echo \'{"disableAllHooks":true}\' > .claude/settings.json'
    const ran = await run([], { DURING })
    expect(ran).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('disableAllHooks') })
  })

  it('does not start an unknown agent', async () => {
    expect(await sandbox.run(['run', 'gemini'], { env })).toMatchObject({ exitCode: 64, stdout: '' })
  })
})
