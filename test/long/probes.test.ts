import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

/** `init` and `doctor` prove each hook with probes, which must leave no trace. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.folder, 'user'))
  agent()
})
afterEach(async () => {
  await sandbox.person(['uninstall', '--yes', '--home', sandbox.home], env())
  await sandbox.remove()
})

const env = () => ({
  HOME: join(sandbox.folder, 'user'),
  PATH: `${join(sandbox.folder, 'bin')}:${process.env.PATH}`,
})
const run = (...args: string[]) => sandbox.run([...args, '--home', sandbox.home], { env: env() })

const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'SubagentStop',
  'Stop',
]
const PACKS = ['safety', 'secrets', 'collective', 'mux', 'scratchpad']

/** All packs that write files, and a command of the user at every event that records when it ran. */
function policies(): void {
  const ran = join(sandbox.folder, 'ran')
  const hooks = EVENTS.map((event) => `  ${event}: [{ run: "echo x >> ${ran}" }]\n`)
  const packs = PACKS.map((pack) => `  ${pack}: true\n`)
  sandbox.userConfig(`version: 1\npacks:\n${packs.join('')}hooks:\n${hooks.join('')}`)
}

/** An agent on PATH that can only print its version. */
function agent(): void {
  const path = join(sandbox.folder, 'bin', 'claude')
  mkdirSync(dirname(path))
  writeFileSync(path, '#!/bin/sh\necho "2.1.999 (Claude Code)"\n', { mode: 0o755 })
}

const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : []

describe.each([
  ['as commands', []],
  ['over HTTP', ['--http']],
])('probes of hooks that are called %s', (_, http) => {
  it('prove every hook and leave no trace', async () => {
    sandbox.write('.claude/compact-recovery.json', '{"mine": true}\n')
    policies()
    const inited = await run('init', '--host', 'claude-code', '--yes', ...http)
    expect(inited.stdout).toContain('live 13 of 13')
    const before = below(sandbox.project)
    expect(await run('doctor')).toMatchObject({ stdout: expect.stringContaining('live 13 of 13') })
    expect(existsSync(join(sandbox.folder, 'ran'))).toBe(false)
    expect(below(sandbox.project)).toEqual(before)
    expect(readFileSync(join(sandbox.project, '.claude', 'compact-recovery.json'), 'utf8')).toBe(
      '{"mine": true}\n',
    )
    expect(below(join(sandbox.home, 'state'))).toEqual([])
    expect(below(join(sandbox.home, 'probes'))).toEqual([])
    expect((await run('log', '--json')).stdout).toBe('')
    // At a real event, the same policies do write.
    await sandbox.hook(call('Bash', { command: 'ls' }, { cwd: sandbox.project }))
    expect(existsSync(join(sandbox.folder, 'ran'))).toBe(true)
  })
})

describe('a payload that looks like a probe', () => {
  const session = `holdpoint-probe-${'0'.repeat(32)}`
  const event = (tool: string) => ({
    ...{ session_id: session, transcript_path: '/t', cwd: sandbox.project, hook_event_name: 'PreToolUse' },
    ...{ tool_name: tool, tool_use_id: 'u', tool_input: { command: 'git push --force' } },
    holdpoint_probe: 'pass',
  })

  it('is checked and recorded like any other if the home is not being probed', async () => {
    const { stdout } = await sandbox.hook(event('Bash'))
    expect(stdout).toContain('"permissionDecision":"deny"')
    await sandbox.hook(event('HoldpointProbe'))
    expect((await run('log', '--json')).stdout.trim().split('\n')).toHaveLength(2)
  })

  it('is checked and recorded if it calls a real tool, even if the home is being probed', async () => {
    mkdirSync(join(sandbox.home, 'probes', session), { recursive: true })
    const { stdout } = await sandbox.hook(event('Bash'))
    expect(stdout).toContain('"permissionDecision":"deny"')
    expect((await run('log', '--json')).stdout).toContain('force-push')
  })
})
