import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdpointProgram } from '../installed.ts'
import { createSandbox, type Sandbox } from './command.ts'
import { MOST_USED, startedAndPlayed } from './started-commands.ts'

/** What the other files play in their own process, as the installed program. test/long starts the rest of the commands. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

describe('the installed program', () => {
  it.each(Object.entries(MOST_USED))('does as `%s` does when it is played', async (name, start) => {
    const [started, played] = await startedAndPlayed(start)
    expect(started.exitCode).toBe(start.exitCode)
    expect(started.stdout + started.stderr).toMatch(start.says)
    // The message of a hook has a code that is another one for each folder.
    if (name === 'hook') expect(played).toMatchObject({ exitCode: 0, stderr: started.stderr })
    else expect(played).toEqual(started)
  })

  it('ends quietly if nobody reads its output', () => {
    const words = ['-c', '"$0" docs rules | head -1; echo "$?"', holdpointProgram()]
    const env = { PATH: process.env.PATH, HOME: '/home/dev', HOLDPOINT_HOME: sandbox.home }
    const { stdout, stderr } = spawnSync('/bin/sh', words, { cwd: sandbox.project, env, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['Rules in YAML\n0\n', ''])
  })

  it('has the streams and the terminal of a person', async () => {
    sandbox.write('audit.sh', '#!/bin/sh\n', 0o755)
    sandbox.config('version: 1\nhooks: { PreToolUse: [ { run: ./audit.sh } ] }\n')
    const trusted = await sandbox.person(['trust', '--yes'], {}, { process: true })
    expect([trusted.exitCode, trusted.stdout]).toEqual([
      0,
      expect.stringContaining('Trusted as they are now:'),
    ])
    const { stdout } = await sandbox.person(['trust', '--list'])
    expect(stdout).toContain('trusted')
  })
})
