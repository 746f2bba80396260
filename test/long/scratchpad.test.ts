import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Ran, type RunOptions, type Sandbox } from '../e2e/command.ts'

/** The scratchpad protocol and completion contracts, with the built program. */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const TZ = 'UTC'
const today = () => new Date().toISOString().slice(0, 10)
const pad = (agent: string, date = today()) => `.claude/scratchpad/${agent}/${date}.md`
const WHOLE = '## What I did\nx\n## Cross-agent observations\nx\n## Unresolved\nx\n'
const incomplete = (agent: string, date = today()) =>
  `Scratchpad missing or incomplete. Write to ${pad(agent, date)} with all three required sections before completing.`
const unwritten = (date = today()) =>
  `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${pad('coordinator', date)} before ending session.`

/** Uses the protocol's own format: the input of its scripts, and their output. */
const runDialect = (event: string, payload: unknown, options: RunOptions = {}): Promise<Ran> =>
  sandbox.hook(payload, ['--event', event, '--pack', 'scratchpad'], {
    host: 'scratchpad',
    env: { TZ },
    ...options,
  })
/** Uses the format of Claude Code. */
const claude = (
  event: string,
  fields: object = {},
  env: Readonly<Record<string, string>> = { TZ },
): Promise<Ran> => {
  const payload = {
    session_id: 's1',
    transcript_path: '/tmp/t.jsonl',
    cwd: sandbox.project,
    hook_event_name: event,
  }
  return sandbox.hook({ ...payload, ...fields }, ['--pack', 'scratchpad'], { env })
}
const said = ({ stdout }: Ran) => JSON.parse(stdout)
const NOTHING = { stdout: '{}\n', stderr: '', exitCode: 0 }
const block = (reason: string) => ({
  stdout: `${JSON.stringify({ decision: 'block', reason })}\n`,
  stderr: '',
  exitCode: 0,
})

describe('the scratchpad protocol', () => {
  it('prints the exact texts from start to stop', async () => {
    execFileSync('git', ['init', '-q'], { cwd: sandbox.project })
    const commit = [
      '-c',
      'user.name=dev',
      '-c',
      'user.email=dev@example.com',
      'commit',
      '-q',
      '--allow-empty',
    ]
    for (let i = 1; i <= 6; i += 1)
      execFileSync('git', [...commit, '-m', `change ${i}`], { cwd: sandbox.project })
    sandbox.write(pad('coordinator', '2026-01-10'), 'the plan\n')
    sandbox.write(pad('ego', '2026-01-09'), 'a doubt\n')

    const started = said(await runDialect('SessionStart', { source: 'startup' })).hookSpecificOutput
    expect(started.hookEventName).toBe('SessionStart')
    expect(started.additionalContext).toContain('the plan')
    expect(started.additionalContext).toContain('a doubt')
    expect(started.additionalContext.match(/change \d/g)).toEqual([6, 5, 4, 3, 2].map((i) => `change ${i}`))

    const begun = said(await runDialect('SubagentStart', { agent_type: 'spec-writer' })).hookSpecificOutput
    expect(begun.hookEventName).toBe('SubagentStart')
    for (const part of [
      today(),
      pad('spec-writer'),
      '## What I did',
      '## Unresolved',
      'the plan',
      'a doubt',
    ]) {
      expect(begun.additionalContext).toContain(part)
    }

    expect(await runDialect('SubagentStop', { agent_type: 'spec-writer' })).toEqual(
      block(incomplete('spec-writer')),
    )
    expect(await runDialect('Stop', {})).toEqual(NOTHING)
    sandbox.write(pad('spec-writer'), WHOLE)
    expect(await runDialect('SubagentStop', { agent_type: 'spec-writer' })).toEqual(NOTHING)
    expect(await runDialect('Stop', {})).toEqual(block(unwritten()))
    sandbox.write(pad('coordinator'), 'done')
    expect(await runDialect('Stop', {})).toEqual(NOTHING)
  })

  it.each(['resume', 'compact'])('prints nothing on %s', async (source) => {
    sandbox.write(pad('coordinator'), 'the plan')
    expect(await runDialect('SessionStart', { source })).toEqual(NOTHING)
  })

  it.each(['', '{', '[]', 'null', '{"agent_type": 7}', '\u0000'])(
    'goes on after an error: %j',
    async (stdin) => {
      for (const event of ['SessionStart', 'SubagentStart', 'Stop']) {
        expect(await runDialect(event, stdin)).toMatchObject({ stdout: '{}\n', exitCode: 0 })
      }
    },
  )

  it('answers the same each time, because it reads the files again', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => runDialect('SubagentStop', { agent_type: 'spec-writer' })),
    )
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1)
  })

  it.each([
    ['empty', (path: string) => writeFileSync(path, '')],
    ['huge', (path: string) => writeFileSync(path, WHOLE + 'x'.repeat(3_000_000))],
    ['binary', (path: string) => writeFileSync(path, Buffer.from([0, 255, 1]))],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['a link out of the project', (path: string) => symlinkSync('/etc/passwd', path)],
  ])('ignores an entry that is %s', async (_what, make) => {
    const path = join(sandbox.project, pad('spec-writer'))
    mkdirSync(dirname(path), { recursive: true })
    make(path)
    expect(await runDialect('SubagentStop', { agent_type: 'spec-writer' })).toEqual(
      block(incomplete('spec-writer')),
    )
    expect(said(await runDialect('SessionStart', { source: 'startup' }))).toEqual({})
  })
})

describe('the scratchpad protocol in Claude Code', () => {
  const subStop = (agent: string, more: object = {}, env?: Record<string, string>) =>
    claude(
      'SubagentStop',
      { agent_id: agent, agent_type: 'spec-writer', stop_hook_active: false, ...more },
      env,
    )

  it('blocks a sub-agent with the exact reason, and lets it stop after three blocks', async () => {
    await claude('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' })
    for (let held = 0; held < 3; held += 1) {
      const answer = said(await subStop('a1', { stop_hook_active: held > 0 }))
      expect(answer).toMatchObject({ decision: 'block', reason: incomplete('spec-writer') })
    }
    const last = said(await subStop('a1', { stop_hook_active: true }))
    expect(last.decision).toBeUndefined()
    expect(last.systemMessage).toContain('The agent was held 3 times, then allowed to stop')
  })

  it('remembers the type of a sub-agent from its start', async () => {
    await claude('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' })
    expect(said(await subStop('a1', { agent_type: '' }))).toMatchObject({ reason: incomplete('spec-writer') })
    expect(said(await subStop('a2', { agent_type: '' }))).toEqual({})
  })

  it('accepts an entry written before midnight', async () => {
    // Two time zones whose dates always differ.
    const [before, after] = ['Etc/GMT+12', 'Etc/GMT-14']
    const dateIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
    await claude('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' }, { TZ: before })
    sandbox.write(pad('spec-writer', dateIn(before)), WHOLE)
    expect(said(await subStop('a1', {}, { TZ: after }))).toEqual({})
    expect(said(await subStop('a2', {}, { TZ: after }))).toMatchObject({
      reason: incomplete('spec-writer', dateIn(after)),
    })
  })

  it('counts two agents of one type that stop at once separately', async () => {
    await Promise.all(
      ['a1', 'a2'].map((id) => claude('SubagentStart', { agent_id: id, agent_type: 'spec-writer' })),
    )
    for (let held = 0; held < 3; held += 1) {
      const answers = await Promise.all(['a1', 'a2'].map((id) => subStop(id, { stop_hook_active: held > 0 })))
      expect(answers.map((answer) => said(answer).decision)).toEqual(['block', 'block'])
    }
    const answers = await Promise.all(['a1', 'a2'].map((id) => subStop(id, { stop_hook_active: true })))
    expect(answers.map((answer) => said(answer).decision)).toEqual([undefined, undefined])
    sandbox.write(pad('spec-writer'), WHOLE)
    const later = await Promise.all(['a3', 'a4'].map((id) => subStop(id)))
    expect(later.map(said)).toEqual([{}, {}])
  })

  it('blocks the stop until the coordinator wrote its entry, but not forever', async () => {
    sandbox.write(pad('spec-writer'), WHOLE)
    expect(said(await claude('Stop', { stop_hook_active: false }))).toMatchObject({ reason: unwritten() })
    expect(said(await claude('Stop', { stop_hook_active: false, agent_id: 'a1' }))).toEqual({})
    for (const decision of ['block', 'block', undefined]) {
      expect(said(await claude('Stop', { stop_hook_active: true })).decision).toBe(decision)
    }
    sandbox.write(pad('coordinator'), '')
    expect(said(await claude('Stop', { stop_hook_active: false }))).toEqual({})
  })
})

describe('`init --pack scratchpad`', () => {
  it('makes a set-up that works: one hook for each event, always with the format of Claude Code', async () => {
    const userHome = join(sandbox.folder, 'user')
    mkdirSync(userHome)
    const init = ['init', '--host', 'claude-code', '--pack', 'scratchpad', '--yes', '--scope', 'user']
    const env = { HOME: userHome }
    const ran = await sandbox.run([...init, '--home', sandbox.home], { env })
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ +scratchpad .*/ms) })
    const { hooks } = JSON.parse(readFileSync(join(userHome, '.claude', 'settings.json'), 'utf8'))
    const start = (event: string, fields: object) => {
      const [{ command, args }] = hooks[event][0].hooks
      expect(args[0]).toBe('claude-code')
      const payload = {
        session_id: 's',
        transcript_path: '/t',
        cwd: sandbox.project,
        hook_event_name: event,
        ...fields,
      }
      const { stdout } = spawnSync(command, args, {
        input: JSON.stringify(payload),
        env: { PATH: process.env.PATH, HOME: userHome, TZ },
        encoding: 'utf8',
      })
      return JSON.parse(stdout)
    }
    expect(
      start('SubagentStart', { agent_id: 'a', agent_type: 'spec-writer' }).hookSpecificOutput
        .additionalContext,
    ).toContain(pad('spec-writer'))
    expect(start('SubagentStop', { agent_id: 'a', agent_type: 'spec-writer' }).reason).toBe(
      incomplete('spec-writer'),
    )
    sandbox.write(pad('spec-writer'), WHOLE)
    expect(start('Stop', {}).reason).toBe(unwritten())
    await sandbox.run(['daemon', 'stop', '--home', sandbox.home], { env })
  })
})

describe('contracts of a configuration file', () => {
  const CONFIG = `version: 1
contracts:
  - id: handoff
    agent: "*-writer"
    files: [{ path: "notes/{agent_type}.md", headings: [Summary] }]
    commands: [./check.sh, { run: echo built, timeoutMs: 5000 }]
  - { id: wrap-up, when: delegated, files: [{ path: summary.md, fresh: true }] }
`
  const own = (event: string, fields: object = {}, args: readonly string[] = []) =>
    sandbox.hook({ session_id: 's1', hook_event_name: event, cwd: sandbox.project, ...fields }, args)
  const subStop = (more: object = {}, args: readonly string[] = []) =>
    own('SubagentStop', { agent_id: 'a1', agent_type: 'spec-writer', stop_hook_active: false, ...more }, args)
  const trust = async () => expect((await sandbox.person(['trust', '--yes'])).exitCode).toBe(0)
  beforeEach(() => {
    sandbox.config(CONFIG)
    sandbox.write('check.sh', '#!/bin/sh\ntest -e tested || { echo "1 test failed"; exit 1; }\n', 0o755)
  })

  it('run nothing before they are trusted, and report it', async () => {
    sandbox.write('check.sh', '#!/bin/sh\ntouch ran\n', 0o755)
    const answer = said(await subStop())
    expect(answer.reason).toContain('- notes/spec-writer.md does not exist.')
    expect(answer.reason).toContain(
      '`./check.sh` must succeed, but it is not trusted and was not run. A person has to read it and run `holdpoint trust`.',
    )
    expect(existsSync(join(sandbox.project, 'ran'))).toBe(false)
    const started = said(await own('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' }))
    expect(started.hookSpecificOutput).toBeUndefined()
    expect(started.systemMessage).toContain('holdpoint trust')
  })

  it('announce at the start what they check at the end, and allow the stop when it is done', async () => {
    await trust()
    const told = said(
      await own('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' }),
    ).hookSpecificOutput
    expect(told.additionalContext).toContain('The file notes/spec-writer.md.')
    expect(told.additionalContext).toContain('`./check.sh` succeeds.')
    const { reason } = said(await subStop())
    expect(reason).toContain('- notes/spec-writer.md does not exist.')
    expect(reason).toContain(
      '- `./check.sh` must succeed: it exited with code 1. Last output:\n    1 test failed',
    )
    expect(reason).not.toContain('echo built')
    sandbox.write('notes/spec-writer.md', '# Summary\n')
    sandbox.write('tested', '')
    expect(said(await subStop({ stop_hook_active: true }))).toEqual({})
    expect(
      said(await own('SubagentStop', { agent_id: 'a2', agent_type: 'reviewer', stop_hook_active: false })),
    ).toEqual({})
  })

  it('do not trust a script that changed since', async () => {
    await trust()
    sandbox.write('check.sh', '#!/bin/sh\ntouch ran\n', 0o755)
    expect(said(await subStop()).reason).toContain('run `holdpoint trust`')
    expect(existsSync(join(sandbox.project, 'ran'))).toBe(false)
  })

  it('answer before the hook’s own deadline, whatever a command does', async () => {
    sandbox.write('check.sh', '#!/bin/sh\nsleep 600\n', 0o755)
    sandbox.write('notes/spec-writer.md', '# Summary\n')
    await trust()
    const { reason } = said(await subStop({}, ['--deadline-ms', '12000']))
    expect(reason).toContain('because the host does not wait longer for one answer. This counts as failed')
    expect(reason).toContain('`echo built` must succeed: there was no time left')
  })

  it('apply only after delegation, if they are written so', async () => {
    await trust()
    await own('SessionStart', { source: 'startup' })
    expect(said(await own('Stop', { stop_hook_active: false }))).toEqual({})
    const call = { tool_name: 'Agent', tool_input: {}, tool_use_id: 't1', tool_response: {} }
    await own('PostToolUse', call)
    expect(said(await own('Stop', { stop_hook_active: false })).reason).toContain(
      '- summary.md does not exist.',
    )
    sandbox.write('summary.md', 'x')
    expect(said(await own('Stop', { stop_hook_active: true }))).toEqual({})
  })

  it('do not block forever', async () => {
    rmSync(join(sandbox.project, 'check.sh'))
    await trust()
    const decisions = []
    for (let stop = 0; stop < 4; stop += 1) {
      decisions.push(said(await subStop({ stop_hook_active: stop > 0 })).decision)
    }
    expect(decisions).toEqual(['block', 'block', 'block', undefined])
  })

  it('are checked by `holdpoint test` too', async () => {
    chmodSync(join(sandbox.project, 'check.sh'), 0o755)
    const args = JSON.stringify({ stop_hook_active: false })
    const tried = await sandbox.run([
      'test',
      '--event',
      'SubagentStop',
      '--agent-type',
      'spec-writer',
      '--args',
      args,
    ])
    expect(tried.exitCode).toBe(2)
    expect(tried.stdout).toContain('BLOCKED')
  })
})
