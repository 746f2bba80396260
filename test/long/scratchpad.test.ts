import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorld, type Ran, type RunOptions, type World } from '../e2e/command.ts'

/** The scratchpad protocol and completion contracts, on the built program. */

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const TZ = 'UTC'
const today = () => new Date().toISOString().slice(0, 10)
const pad = (agent: string, date = today()) => `.claude/scratchpad/${agent}/${date}.md`
const WHOLE = '## What I did\nx\n## Cross-agent observations\nx\n## Unresolved\nx\n'
const incomplete = (agent: string, date = today()) =>
  `Scratchpad missing or incomplete. Write to ${pad(agent, date)} with all three required sections before completing.`
const unwritten = (date = today()) =>
  `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${pad('coordinator', date)} before ending session.`

/** In the protocol's own words: what its scripts are given, and what they print. */
const speak = (event: string, payload: unknown, options: RunOptions = {}): Promise<Ran> =>
  world.hook(payload, ['--event', event, '--pack', 'scratchpad'], {
    host: 'scratchpad',
    env: { TZ },
    ...options,
  })
/** As Claude Code. */
const claude = (
  event: string,
  fields: object = {},
  env: Readonly<Record<string, string>> = { TZ },
): Promise<Ran> => {
  const payload = {
    session_id: 's1',
    transcript_path: '/tmp/t.jsonl',
    cwd: world.project,
    hook_event_name: event,
  }
  return world.hook({ ...payload, ...fields }, ['--pack', 'scratchpad'], { env })
}
const said = ({ stdout }: Ran) => JSON.parse(stdout)
const NOTHING = { stdout: '{}\n', stderr: '', exitCode: 0 }
const block = (reason: string) => ({
  stdout: `${JSON.stringify({ decision: 'block', reason })}\n`,
  stderr: '',
  exitCode: 0,
})

describe('the protocol', () => {
  it('from start to stop, word for word (R-003-03, R-003-04, R-003-46)', async () => {
    execFileSync('git', ['init', '-q'], { cwd: world.project })
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
      execFileSync('git', [...commit, '-m', `change ${i}`], { cwd: world.project })
    world.write(pad('coordinator', '2026-01-10'), 'the plan\n')
    world.write(pad('ego', '2026-01-09'), 'a doubt\n')

    const started = said(await speak('SessionStart', { source: 'startup' })).hookSpecificOutput
    expect(started.hookEventName).toBe('SessionStart')
    expect(started.additionalContext).toContain('the plan')
    expect(started.additionalContext).toContain('a doubt')
    expect(started.additionalContext.match(/change \d/g)).toEqual([6, 5, 4, 3, 2].map((i) => `change ${i}`))

    const begun = said(await speak('SubagentStart', { agent_type: 'spec-writer' })).hookSpecificOutput
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

    expect(await speak('SubagentStop', { agent_type: 'spec-writer' })).toEqual(
      block(incomplete('spec-writer')),
    )
    expect(await speak('Stop', {})).toEqual(NOTHING)
    world.write(pad('spec-writer'), WHOLE)
    expect(await speak('SubagentStop', { agent_type: 'spec-writer' })).toEqual(NOTHING)
    expect(await speak('Stop', {})).toEqual(block(unwritten()))
    world.write(pad('coordinator'), 'done')
    expect(await speak('Stop', {})).toEqual(NOTHING)
  })

  it.each(['resume', 'compact'])('on %s says nothing (R-003-07)', async (source) => {
    world.write(pad('coordinator'), 'the plan')
    expect(await speak('SessionStart', { source })).toEqual(NOTHING)
  })

  it.each(['', '{', '[]', 'null', '{"agent_type": 7}', '\u0000'])(
    'goes on after an error: %j (R-003-34, R-003-44)',
    async (stdin) => {
      for (const event of ['SessionStart', 'SubagentStart', 'Stop']) {
        expect(await speak(event, stdin)).toMatchObject({ stdout: '{}\n', exitCode: 0 })
      }
    },
  )

  it('answers the same each time, for it looks and does not guess (R-003-48)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => speak('SubagentStop', { agent_type: 'spec-writer' })),
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
  ])('takes an entry that is %s for none', async (_what, make) => {
    const path = join(world.project, pad('spec-writer'))
    mkdirSync(dirname(path), { recursive: true })
    make(path)
    expect(await speak('SubagentStop', { agent_type: 'spec-writer' })).toEqual(
      block(incomplete('spec-writer')),
    )
    expect(said(await speak('SessionStart', { source: 'startup' }))).toEqual({})
  })
})

/** The scripts as the protocol describes them: what the pack takes the place of. */
const SCRIPTS: Readonly<Record<string, readonly [file: string, body: string]>> = {
  SessionStart: [
    'session-start.py',
    `if data.get("source") != "startup":
    print("{}"); sys.exit()
files = sorted(pads.glob("coordinator/????-??-??.md"))
text = files[-1].read_text() if files else ""
print(json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}))`,
  ],
  SubagentStart: [
    'subagent-context.py',
    `text = "Write to .claude/scratchpad/%s/%s.md" % (data["agent_type"], today)
print(json.dumps({"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": text}}))`,
  ],
  SubagentStop: [
    'subagent-stop.py',
    `path = pads / data["agent_type"] / (today + ".md")
text = path.read_text() if path.exists() else ""
if all(h in text for h in ["What I did", "Cross-agent observations", "Unresolved"]):
    print("{}")
else:
    print(json.dumps({"decision": "block", "reason": "Scratchpad missing or incomplete. Write to .claude/scratchpad/%s/%s.md with all three required sections before completing." % (data["agent_type"], today)}))`,
  ],
  Stop: [
    'stop.py',
    `others = [p for p in pads.glob("*/" + today + ".md") if p.parent.name not in ("coordinator", "ego")]
if others and not (pads / "coordinator" / (today + ".md")).exists():
    print(json.dumps({"decision": "block", "reason": "Multi-agent delegation detected but no coordinator scratchpad for today. Write to .claude/scratchpad/coordinator/%s.md before ending session." % today}))
else:
    print("{}")`,
  ],
}

describe('beside the scripts of the protocol', () => {
  const HEAD = `#!/usr/bin/env python3
import datetime, json, os, pathlib, sys
data = json.load(sys.stdin)
pads = pathlib.Path(os.environ["CLAUDE_PROJECT_DIR"]) / ".claude" / "scratchpad"
today = datetime.datetime.now().strftime("%Y-%m-%d")
`

  /** `.claude/settings.json` as the protocol registers them (R-003-50, R-003-51), and the scripts it names. */
  async function register(): Promise<void> {
    const hooks = Object.fromEntries(
      Object.entries(SCRIPTS).map(([event, [file, body]]) => {
        world.write(`.claude/hooks/${file}`, `${HEAD}${body}\n`, 0o755)
        const entry = { type: 'command', command: `.claude/hooks/${file}`, timeout: 10 }
        const matcher = event.startsWith('Subagent') ? { matcher: '' } : {}
        return [event, [{ ...matcher, hooks: [entry] }]]
      }),
    )
    world.write('.claude/settings.json', JSON.stringify({ hooks }))
    const trusted = await world.run(['trust', '--yes', '--config', '.claude/settings.json'])
    expect(trusted.exitCode, trusted.stderr).toBe(0)
  }
  const byScripts = (event: string, payload: object) =>
    world.hook(
      { session_id: 'x', hook_event_name: event, ...payload },
      ['--config', '.claude/settings.json'],
      {
        env: { TZ, CLAUDE_PROJECT_DIR: world.project },
      },
    )

  it('the pack decides as they do (R-003-08, R-003-17, R-003-27, R-003-37)', async () => {
    await register()
    const both = async (event: string, payload: object) => {
      const [script, own] = [said(await byScripts(event, payload)), said(await speak(event, payload))]
      return [script, own].map(({ decision, reason }) => ({ decision, reason }))
    }
    const same = async (event: string, payload: object, decision?: string) => {
      const [script, own] = await both(event, payload)
      expect(own).toEqual(script)
      expect(own?.decision).toBe(decision)
    }
    await same('SubagentStop', { agent_type: 'spec-writer' }, 'block')
    await same('Stop', {}, undefined)
    world.write(pad('spec-writer'), '## What I did\n')
    await same('SubagentStop', { agent_type: 'spec-writer' }, 'block')
    await same('Stop', {}, 'block')
    world.write(pad('spec-writer'), WHOLE)
    await same('SubagentStop', { agent_type: 'spec-writer' })
    world.write(pad('coordinator'), 'x')
    await same('Stop', {})
    for (const [event, payload] of [
      ['SessionStart', { source: 'startup' }],
      ['SubagentStart', { agent_type: 'spec-writer' }],
    ] as const) {
      expect(said(await byScripts(event, payload)).hookSpecificOutput.hookEventName).toBe(event)
      expect(said(await speak(event, payload)).hookSpecificOutput.hookEventName).toBe(event)
    }
  })
})

describe('in a session of Claude Code', () => {
  const subStop = (agent: string, more: object = {}, env?: Record<string, string>) =>
    claude(
      'SubagentStop',
      { agent_id: agent, agent_type: 'spec-writer', stop_hook_active: false, ...more },
      env,
    )

  it('a sub-agent is sent back with the exact reason, and let go after three times', async () => {
    await claude('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' })
    for (let held = 0; held < 3; held += 1) {
      const answer = said(await subStop('a1', { stop_hook_active: held > 0 }))
      expect(answer).toMatchObject({ decision: 'block', reason: incomplete('spec-writer') })
    }
    const last = said(await subStop('a1', { stop_hook_active: true }))
    expect(last.decision).toBeUndefined()
    expect(last.systemMessage).toContain('Held 3 times, then let go')
  })

  it('a type that is not said at the end was said at the start', async () => {
    await claude('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' })
    expect(said(await subStop('a1', { agent_type: '' }))).toMatchObject({ reason: incomplete('spec-writer') })
    expect(said(await subStop('a2', { agent_type: '' }))).toEqual({})
  })

  it('midnight between start and stop does not void what was written', async () => {
    // Places whose dates always differ.
    const [before, after] = ['Etc/GMT+12', 'Etc/GMT-14']
    const dateIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
    await claude('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' }, { TZ: before })
    world.write(pad('spec-writer', dateIn(before)), WHOLE)
    expect(said(await subStop('a1', {}, { TZ: after }))).toEqual({})
    expect(said(await subStop('a2', {}, { TZ: after }))).toMatchObject({
      reason: incomplete('spec-writer', dateIn(after)),
    })
  })

  it('two agents of one type that stop at once are each counted for themselves', async () => {
    await Promise.all(
      ['a1', 'a2'].map((id) => claude('SubagentStart', { agent_id: id, agent_type: 'spec-writer' })),
    )
    for (let held = 0; held < 3; held += 1) {
      const answers = await Promise.all(['a1', 'a2'].map((id) => subStop(id, { stop_hook_active: held > 0 })))
      expect(answers.map((answer) => said(answer).decision)).toEqual(['block', 'block'])
    }
    const answers = await Promise.all(['a1', 'a2'].map((id) => subStop(id, { stop_hook_active: true })))
    expect(answers.map((answer) => said(answer).decision)).toEqual([undefined, undefined])
    world.write(pad('spec-writer'), WHOLE)
    const later = await Promise.all(['a3', 'a4'].map((id) => subStop(id)))
    expect(later.map(said)).toEqual([{}, {}])
  })

  it('the end is held until the coordinator wrote, and never for ever', async () => {
    world.write(pad('spec-writer'), WHOLE)
    expect(said(await claude('Stop', { stop_hook_active: false }))).toMatchObject({ reason: unwritten() })
    expect(said(await claude('Stop', { stop_hook_active: false, agent_id: 'a1' }))).toEqual({})
    for (const decision of ['block', 'block', undefined]) {
      expect(said(await claude('Stop', { stop_hook_active: true })).decision).toBe(decision)
    }
    world.write(pad('coordinator'), '')
    expect(said(await claude('Stop', { stop_hook_active: false }))).toEqual({})
  })
})

describe('`init --pack scratchpad`', () => {
  it('is a working set-up: one entry per event, always as Claude Code', async () => {
    const userHome = join(world.folder, 'user')
    mkdirSync(userHome)
    const init = ['init', '--host', 'claude-code', '--pack', 'scratchpad', '--yes', '--scope', 'user']
    const env = { HOME: userHome }
    const ran = await world.run([...init, '--home', world.home], { env })
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Packs on: scratchpad, self') })
    const { hooks } = JSON.parse(readFileSync(join(userHome, '.claude', 'settings.json'), 'utf8'))
    const start = (event: string, fields: object) => {
      const [{ command, args }] = hooks[event][0].hooks
      expect(args[0]).toBe('claude-code')
      const payload = {
        session_id: 's',
        transcript_path: '/t',
        cwd: world.project,
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
    world.write(pad('spec-writer'), WHOLE)
    expect(start('Stop', {}).reason).toBe(unwritten())
    await world.run(['daemon', 'stop', '--home', world.home], { env })
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
    world.hook({ session_id: 's1', hook_event_name: event, cwd: world.project, ...fields }, args)
  const subStop = (more: object = {}, args: readonly string[] = []) =>
    own('SubagentStop', { agent_id: 'a1', agent_type: 'spec-writer', stop_hook_active: false, ...more }, args)
  const trust = async () => expect((await world.run(['trust', '--yes'])).exitCode).toBe(0)
  beforeEach(() => {
    world.config(CONFIG)
    world.write('check.sh', '#!/bin/sh\ntest -e tested || { echo "1 test failed"; exit 1; }\n', 0o755)
  })

  it('run nothing before somebody vouched for them, and say so', async () => {
    world.write('check.sh', '#!/bin/sh\ntouch ran\n', 0o755)
    const answer = said(await subStop())
    expect(answer.reason).toContain('- notes/spec-writer.md does not exist.')
    expect(answer.reason).toContain(
      '`./check.sh` must succeed, and it may not run: a person has to read it and run `holdpoint trust`.',
    )
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
    const started = said(await own('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' }))
    expect(started.hookSpecificOutput).toBeUndefined()
    expect(started.systemMessage).toContain('holdpoint trust')
  })

  it('tell at the start what they judge at the end, and let go once it is there', async () => {
    await trust()
    const told = said(
      await own('SubagentStart', { agent_id: 'a1', agent_type: 'spec-writer' }),
    ).hookSpecificOutput
    expect(told.additionalContext).toContain('The file notes/spec-writer.md.')
    expect(told.additionalContext).toContain('`./check.sh` succeeds.')
    const { reason } = said(await subStop())
    expect(reason).toContain('- notes/spec-writer.md does not exist.')
    expect(reason).toContain(
      '- `./check.sh` must succeed: it exited with code 1. It said last:\n    1 test failed',
    )
    expect(reason).not.toContain('echo built')
    world.write('notes/spec-writer.md', '# Summary\n')
    world.write('tested', '')
    expect(said(await subStop({ stop_hook_active: true }))).toEqual({})
    expect(
      said(await own('SubagentStop', { agent_id: 'a2', agent_type: 'reviewer', stop_hook_active: false })),
    ).toEqual({})
  })

  it('do not trust a script that changed since', async () => {
    await trust()
    world.write('check.sh', '#!/bin/sh\ntouch ran\n', 0o755)
    expect(said(await subStop()).reason).toContain('run `holdpoint trust`')
    expect(existsSync(join(world.project, 'ran'))).toBe(false)
  })

  it('answer before the hook’s own deadline, whatever a command does', async () => {
    world.write('check.sh', '#!/bin/sh\nsleep 600\n', 0o755)
    world.write('notes/spec-writer.md', '# Summary\n')
    await trust()
    const { reason } = said(await subStop({}, ['--deadline-ms', '12000']))
    expect(reason).toContain(
      'because a stop may not be held any longer for one answer; that counts as not succeeded',
    )
    expect(reason).toContain('`echo built` must succeed: there was no time left')
  })

  it('count only after delegation, where they say so', async () => {
    await trust()
    await own('SessionStart', { source: 'startup' })
    expect(said(await own('Stop', { stop_hook_active: false }))).toEqual({})
    const call = { tool_name: 'Agent', tool_input: {}, tool_use_id: 't1', tool_response: {} }
    await own('PostToolUse', call)
    expect(said(await own('Stop', { stop_hook_active: false })).reason).toContain(
      '- summary.md does not exist.',
    )
    world.write('summary.md', 'x')
    expect(said(await own('Stop', { stop_hook_active: true }))).toEqual({})
  })

  it('hold nobody for ever', async () => {
    rmSync(join(world.project, 'check.sh'))
    await trust()
    const decisions = []
    for (let stop = 0; stop < 4; stop += 1) {
      decisions.push(said(await subStop({ stop_hook_active: stop > 0 })).decision)
    }
    expect(decisions).toEqual(['block', 'block', 'block', undefined])
  })

  it('are judged by `holdpoint test` too', async () => {
    chmodSync(join(world.project, 'check.sh'), 0o755)
    const args = JSON.stringify({ stop_hook_active: false })
    const tried = await world.run([
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
