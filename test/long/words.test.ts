import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScreenSandbox, type ScreenSandbox } from '../e2e/screen.ts'

/** The right text for the right reader: dialogs, help, the log, exit codes. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
})
afterEach(() => sandbox.remove())

const hook = async (command: string, more: object = {}) => {
  const about = { session_id: 's', cwd: sandbox.project, hook_event_name: 'PreToolUse', tool_use_id: command }
  const payload = { ...about, tool_name: 'Bash', tool_input: { command }, ...more }
  return JSON.parse(await sandbox.run(['hook', 'claude-code'], { stdin: JSON.stringify(payload) }))
}

describe('a dialog for the user', () => {
  it('says what and why, gives the agent no instructions, and does not offer `allow`', async () => {
    const { hookSpecificOutput: said, systemMessage = '' } = await hook('git branch -D topic', {
      permission_mode: 'default',
    })
    expect(said.permissionDecision).toBe('ask')
    expect(said.permissionDecisionReason).toMatch(/^Deleting or moving a branch by force: /)
    expect(said.permissionDecisionReason).not.toMatch(/Instead:|Do not|[Ll]et the user/)
    expect(systemMessage).not.toContain('holdpoint allow')
  })

  it('becomes instructions for the agent, and a way to allow it for the user, if nobody can be asked', async () => {
    const { hookSpecificOutput: said, systemMessage } = await hook('git branch -D topic', {
      permission_mode: 'dontAsk',
    })
    expect(said.permissionDecision).toBe('deny')
    expect(said.permissionDecisionReason).toContain('Instead: ')
    expect(systemMessage).toMatch(/holdpoint allow \w{4}-\w{4}/)
  })
})

describe('holdpoint log', () => {
  it('names the project and the events, and shows one call as one line', async () => {
    await hook('git push --force')
    await hook('ls')
    await hook('ls', { hook_event_name: 'PostToolUse', tool_response: {} })
    for (const columns of [80, 60]) {
      await expect(await sandbox.screen(['log'], columns)).toMatchFileSnapshot(`screens/log-${columns}.txt`)
    }
    const piped = (await sandbox.run(['log'])).trim().split('\n')
    expect(piped).toHaveLength(3)
    expect(piped[0]).toBe('~/project')
    expect(piped[1]).toMatch(/ deny {2}PreToolUse main Bash git push --force \[safety\/git\/force-push\] /)
    expect(piped[2]).toMatch(/ pass {2}PreToolUse, PostToolUse main Bash ls /)
    expect((await sandbox.run(['log', '--json'])).trim().split('\n')).toHaveLength(3)
    expect(await sandbox.run(['log', '--project', sandbox.user, '--json'])).toBe('')
    expect((await sandbox.run(['log', '--all', '--json'])).trim().split('\n')).toHaveLength(3)
  })
})

describe('holdpoint help', () => {
  it('fits one screen and groups the commands', async () => {
    for (const columns of [80, 60]) {
      await expect(await sandbox.screen(['--help'], columns)).toMatchFileSnapshot(
        `screens/help-${columns}.txt`,
      )
    }
  })
})

describe('holdpoint explain and report', () => {
  it('fit their screens', async () => {
    const call = ['--tool', 'Bash', '--args', '{"command":"git push --force"}']
    await hook('git push --force')
    for (const columns of [80, 60]) {
      const report = await sandbox.screen(['report'], columns)
      for (const line of report.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
      await expect(withoutTimes(report)).toMatchFileSnapshot(`screens/report-${columns}.txt`)
      const shown = await sandbox.screen(['explain', ...call], columns)
      await expect(
        shown.replaceAll(/\d+\.\d\d ms/g, '0.00 ms').replaceAll(/plan [0-9a-z]+/g, 'plan 0'),
      ).toMatchFileSnapshot(`screens/explain-${columns}.txt`)
    }
  })
})

function withoutTimes(report: string): string {
  return (
    report
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '2026-01-31 09:00')
      .replaceAll(/^\d\d-\d\d \d\dh/gm, '01-31 09h')
      // Where the line wraps depends on the number of digits of the time.
      .replaceAll(/tool time ·\s+\d+(?:\.\d)?\s+m?s\s+deciding/g, 'tool time · 9 ms deciding')
  )
}

describe('every command that lists', () => {
  it.each([
    [['status']],
    [['guards']],
    [['config']],
    [['doctor']],
    [['report']],
    [['lint']],
    [['scan']],
    [['audit']],
    [['suggest']],
    [['docs']],
    [['docs', '--search', 'rules']],
    [['trust', '--list']],
    [['allow', '--list']],
    [['pin', 'status']],
    [['pause']],
    [['daemon', 'status']],
  ])('has --json: %j', async (words) => {
    expect(JSON.parse(await sandbox.run([...words, '--json']))).toBeDefined()
  })
})
