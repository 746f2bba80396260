import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type World } from './command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const bash = (command: string, more: object = {}) => call('Bash', { command }, more)
const MARK = '#!/bin/sh\ntouch marked\n'
const decisionOf = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'none'

/** A project that was vouched for and asks about a force push, where the user says nothing. */
async function projectAsks(): Promise<void> {
  world.config('version: 1\npacks: { safety: { guards: { safety/git/force-push: ask } } }\n')
  await world.run(['trust', '--yes'])
}

describe('hook', () => {
  it('judges a call before it runs: stopped with a reason, or not a word (R-001-01, R-001-02, R-002-17, R-002-18, R-002-19)', async () => {
    const denied = JSON.parse((await world.hook(bash('git push --force'))).stdout)
    expect(denied.hookSpecificOutput).toMatchObject({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
    })
    expect(denied.hookSpecificOutput.permissionDecisionReason).toContain('Instead:')
    expect(denied.systemMessage).toContain('safety/git/force-push')
    expect(await world.hook(bash('git status'))).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  it('without any configuration has safety and secrets on; with one, exactly what it says', async () => {
    expect(decisionOf((await world.hook(call('Read', { file_path: '.env' }))).stdout)).toBe('deny')
    world.userConfig('version: 1\npacks: { safety: true }\n')
    expect(decisionOf((await world.hook(call('Read', { file_path: '.env' }))).stdout)).toBe('none')
    expect(
      decisionOf((await world.hook(call('Read', { file_path: '.env' }), ['--pack', 'secrets'])).stdout),
    ).toBe('deny')
  })

  it.each([
    ['empty', ''],
    ['without packs', 'version: 1\n'],
    ['that wants no packs', 'version: 1\npacks: { safety: false, secrets: false }\n'],
    ['that weakens a guard', 'version: 1\npacks: { safety: { guards: { safety/git/force-push: off } } }\n'],
  ])('a project file nobody vouched for, %s, takes nothing away', async (_name, text) => {
    world.config(text)
    expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('deny')
  })

  it.each([
    ['misspelled', 'packs: { safty: true }'],
    ['of the wrong kind', 'packs: [safety]'],
    ['under a wrong key', 'packss: { safety: true }'],
  ])('packs %s in the user file leave the defaults on', async (_name, text) => {
    world.userConfig(`version: 1\n${text}\n`)
    expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('deny')
  })

  it('the user can switch the defaults off by name', async () => {
    world.userConfig('version: 1\npacks: { safety: false, secrets: false }\n')
    expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('none')
  })

  it('a broken project file does not keep the user from becoming stricter', async () => {
    world.userConfig('version: 1\npacks: { safety: { guards: { safety/git/force-push: warn } } }\n')
    world.config('version: 1\n')
    await world.hook(bash('ls'))
    world.config('version: [\n')
    world.userConfig('version: 1\npacks: { safety: true }\n')
    expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('deny')
  })

  it('a named configuration that is not there stops acts', async () => {
    const ran = await world.hook(bash('ls'), ['--config', 'nowhere.yaml'])
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is no such file') })
  })

  it('an input nested too deeply to be recorded is answered all the same', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const payload = JSON.stringify(
      call('Read', { file_path: '/home/dev/.ssh/id_rsa', deep: 'DEEP' }),
    ).replace('"DEEP"', deep)
    expect(decisionOf((await world.hook(payload)).stdout)).toBe('deny')
    expect((await world.run(['log', '--json'])).stdout.trim().split('\n')).toHaveLength(1)
  })

  it('the id of an earlier call does not speak for another one', async () => {
    await world.hook(call('Agent', { subagent_type: 'x', prompt: 'p' }, { tool_use_id: 'call_0' }))
    expect(decisionOf((await world.hook(bash('rm -rf /', { tool_use_id: 'call_0' }))).stdout)).toBe('deny')
  })

  it('secrets in the command are masked in what the person is told', async () => {
    const ran = await world.hook(
      bash('git push --force https://bob:ghp_abcdefghijklmnopqrstuvwxyz0123456789@example.com/x'),
    )
    expect(decisionOf(ran.stdout)).toBe('deny')
    expect(ran.stdout).not.toContain('ghp_abcdefghij')
  })

  it('runs guards and programs of every layer in one pipeline (R-004-03)', async () => {
    world.write(
      'deny-make.sh',
      '#!/bin/sh\ngrep -q make && { echo "no make today" >&2; exit 2; }\nexit 0\n',
      0o755,
    )
    world.userConfig(
      `version: 1\nhooks:\n  PreToolUse:\n    - { id: team/make, match: Bash, run: ${join(world.project, 'deny-make.sh')} }\n`,
    )
    world.config('version: 1\npacks: { safety: true }\n')
    const both = JSON.parse((await world.hook(bash('make && git push -f'))).stdout).hookSpecificOutput
      .permissionDecisionReason
    expect(both).toContain('no make today')
    expect(both).toContain('Force push')
    expect(decisionOf((await world.hook(bash('ls'))).stdout)).toBe('none')
  })

  it('does not run a program of a project nobody vouched for, and says so; then runs it; then asks again', async () => {
    const mark = join(world.folder, 'ran')
    world.write('audit.sh', `#!/bin/sh\necho run >> ${mark}\n`, 0o755)
    world.config('version: 1\nhooks:\n  PreToolUse:\n    - { id: audit, run: ./audit.sh }\n')
    const untrusted = await world.hook(bash('ls'))
    expect(JSON.parse(untrusted.stdout).systemMessage).toContain('holdpoint trust')
    expect((await world.run(['trust'])).exitCode).toBe(2)
    const trusted = await world.run(['trust', '--yes'])
    expect(trusted.stdout).toContain('at PreToolUse runs: ./audit.sh')
    expect(await world.hook(bash('ls'))).toMatchObject({ stdout: '{}\n' })
    expect(readFileSync(mark, 'utf8')).toBe('run\n')
    world.write('audit.sh', `#!/bin/sh\necho changed >> ${mark}\n`, 0o755)
    expect(JSON.parse((await world.hook(bash('ls'))).stdout).systemMessage).toContain('holdpoint trust')
    expect(readFileSync(mark, 'utf8')).toBe('run\n')
  })

  it.each<[string, string, (world: World) => void]>([
    ['a program that appears after the trust', './late.sh', (w) => w.write('late.sh', MARK, 0o755)],
    ['a program inside sh -c', "sh -c './x.sh'", (w) => w.write('x.sh', MARK, 0o755)],
    ['a program after a cd', 'cd . && ./x.sh', (w) => w.write('x.sh', MARK, 0o755)],
    ['a program in another folder', '../x.sh', (w) => w.write('../x.sh', MARK, 0o755)],
  ])('%s does not run unasked', async (_name, command, change) => {
    world.write('x.sh', '#!/bin/sh\n', 0o755)
    world.write('../x.sh', '#!/bin/sh\n', 0o755)
    world.config(
      `version: 1\nhooks:\n  PreToolUse:\n    - { run: ${JSON.stringify(command)}, onFailure: pass }\n`,
    )
    await world.run(['trust', '--yes'])
    await world.hook(bash('ls', { tool_use_id: '1' }))
    change(world)
    const ran = await world.hook(bash('ls', { tool_use_id: '2' }))
    expect(existsSync(join(world.project, 'marked'))).toBe(false)
    expect(ran.stdout).toContain('holdpoint trust')
  })

  it('a trusted program that changed while its configuration is broken does not run', async () => {
    world.write('x.sh', '#!/bin/sh\n', 0o755)
    world.config('version: 1\nhooks:\n  PreToolUse:\n    - { run: ./x.sh, onFailure: pass }\n')
    await world.run(['trust', '--yes'])
    await world.hook(bash('ls', { tool_use_id: '1' }))
    world.config('version: [\n')
    world.write('x.sh', MARK, 0o755)
    await world.hook(bash('ls', { tool_use_id: '2' }))
    expect(existsSync(join(world.project, 'marked'))).toBe(false)
  })

  it('takes a changed configuration for the next event', async () => {
    world.userConfig('version: 1\npacks: { safety: true }\n')
    expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('deny')
    world.userConfig('version: 1\npacks: { safety: { guards: { safety/git/force-push: ask } } }\n')
    expect(decisionOf((await world.hook(bash('git push -f'))).stdout)).toBe('ask')
  })

  it('keeps the project of a session when the agent changes folder', async () => {
    await projectAsks()
    const elsewhere = { env: { CLAUDE_PROJECT_DIR: world.project } }
    expect(decisionOf((await world.hook(bash('git push -f', { cwd: '/tmp' }), [], elsewhere)).stdout)).toBe(
      'ask',
    )
  })

  it('also where the agent does not name the project: the folder the session began in counts', async () => {
    await projectAsks()
    world.write('sub/.holdpoint/config.yaml', 'version: 1\npacks: {}\n')
    const start = {
      session_id: 'session-1',
      hook_event_name: 'SessionStart',
      source: 'startup',
      cwd: world.project,
    }
    await world.hook(start)
    for (const cwd of ['/tmp', join(world.project, 'sub')]) {
      expect(decisionOf((await world.hook(bash('git push -f', { cwd, tool_use_id: cwd }))).stdout)).toBe(
        'ask',
      )
    }
  })

  it('with --home reads no HOLDPOINT_ variable', async () => {
    world.userConfig('version: 1\npacks: { safety: { guards: { safety/git/force-push: warn } } }\n')
    const hostile = { env: { HOLDPOINT_HOME: join(world.folder, 'evil') } }
    writeFileSync(join(world.folder, 'x'), '')
    const ran = await world.hook(bash('git push -f'), ['--home', world.home], hostile)
    expect(JSON.parse(ran.stdout).systemMessage).toContain('Force push')
    expect(decisionOf(ran.stdout)).toBe('none')
  })

  it.each([
    ['hangs', 'sleep 60', 'timeout'],
    ['crashes', 'exit 3', 'crash'],
    ['prints garbage', 'echo oops', 'invalidOutput'],
    ['prints half an answer', 'printf \'{"decision":\'', 'invalidOutput'],
    ['is missing', './nowhere.sh', 'import'],
  ])('a program that %s gets what its policy says', async (_name, command, kind) => {
    // Only the hanging one has a short time, so that a slow machine changes no other answer.
    const timeoutMs = kind === 'timeout' ? 300 : 20_000
    for (const policy of ['deny', 'ask', 'pass']) {
      world.userConfig(
        `version: 1\nhooks:\n  PreToolUse:\n    - { id: p, run: ${JSON.stringify(command)}, timeoutMs: ${timeoutMs}, onFailure: ${policy} }\n`,
      )
      const ran = await world.hook(bash('ls'))
      expect([policy, ran.exitCode, decisionOf(ran.stdout)]).toEqual([
        policy,
        0,
        policy === 'pass' ? 'none' : policy,
      ])
      expect(ran.stdout).toContain(kind)
    }
  })

  it('rewrites a call, and guards judge the rewritten one', async () => {
    const rewrite = (command: string) =>
      `echo '{"hookSpecificOutput":{"updatedInput":{"command":"${command}"}}}'`
    const config = (command: string) =>
      `version: 1\npacks: { safety: true }\nhooks:\n  PreToolUse:\n    - { run: ${JSON.stringify(rewrite(command))}, rewrites: true }\n`
    world.userConfig(config('ls -l'))
    expect(JSON.parse((await world.hook(bash('ls'))).stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls -l' } },
    })
    world.userConfig(config('git push --force'))
    expect(decisionOf((await world.hook(bash('ls'))).stdout)).toBe('deny')
  })

  it('holds a stop as often as allowed, then lets go and tells the person', async () => {
    world.userConfig(
      'version: 1\nsettings: { stopBlocksMax: 1 }\nhooks:\n  Stop:\n    - { run: "echo notes are missing >&2; exit 2" }\n',
    )
    const stop = (active: boolean) =>
      world.hook({ session_id: 's', hook_event_name: 'Stop', stop_hook_active: active })
    expect(JSON.parse((await stop(false)).stdout)).toMatchObject({
      decision: 'block',
      reason: 'notes are missing',
    })
    const second = JSON.parse((await stop(true)).stdout)
    expect(second.decision).toBeUndefined()
    expect(second.systemMessage).toContain('notes are missing')
  })
})

describe('test', () => {
  const run = (command: string, ...more: string[]) =>
    world.run(['test', '--tool', 'Bash', '--args', JSON.stringify({ command }), ...more])

  it('says BLOCKED, ASK or ALLOWED on one line, with an exit code for each', async () => {
    const blocked = await run('git push --force')
    expect(blocked).toMatchObject({
      exitCode: 2,
      stdout: expect.stringMatching(/^BLOCKED: Force push: [^\n]+[^.\n]\n$/),
    })
    expect(blocked.stderr).toContain('safety/git/force-push')
    world.userConfig('version: 1\npacks: { safety: { guards: { safety/git/force-push: ask } } }\n')
    expect(await run('git push --force')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/^ASK: /),
    })
    expect(await run('ls')).toEqual({ exitCode: 0, stdout: 'ALLOWED\n', stderr: '' })
  })

  it('prints everything as JSON', async () => {
    const ran = await run('git push --force', '--json')
    expect(JSON.parse(ran.stdout)).toMatchObject({
      effect: 'deny',
      because: ['safety/git/force-push'],
      failed: [],
    })
  })

  it('tries a call as a sub-agent or under a skill', async () => {
    world.userConfig(
      'version: 1\nhooks:\n  PreToolUse:\n    - { actor: { skill: tidy }, run: "echo tidy only >&2; exit 2" }\n    - { match: { agentType: "*-writer" }, run: "echo writers only >&2; exit 2" }\n',
    )
    expect((await run('ls')).stdout).toBe('ALLOWED\n')
    expect((await run('ls', '--skill', 'tidy')).stdout).toBe('BLOCKED: tidy only\n')
    expect((await run('ls', '--agent-type', 'spec-writer')).stdout).toBe('BLOCKED: writers only\n')
  })

  it.each<[string, string[], string]>([
    ['no tool', ['test'], '--tool'],
    ['arguments that are no JSON', ['test', '--tool', 'Bash', '--args', '{'], 'Quote it for your shell'],
    ['arguments that are no object', ['test', '--tool', 'Bash', '--args', '[]'], 'must be a JSON object'],
    ['an unknown pack', ['test', '--tool', 'Bash', '--pack', 'nonesuch'], 'There is no pack `nonesuch`'],
  ])('says what is wrong with %s', async (_name, args, message) => {
    const ran = await world.run(args)
    expect(ran.stderr).toContain(message)
    expect(ran.exitCode).not.toBe(0)
  })
})

describe('check --jsonl', () => {
  it('answers every row in order, with the same words', async () => {
    const rows = [
      { id: 'a', command: 'ls' },
      { id: 'b', command: 'git push --force' },
      { command: 'rm -rf *', cwd: '/home/dev', home: '/home/dev', project: '/srv/app' },
      { id: 'c', event: { tool_name: 'Read', tool_input: { file_path: '/srv/app/.env' } } },
      { id: 'd' },
    ]
    const ran = await world.run(['check', '--jsonl'], {
      stdin: `${rows.map((row) => JSON.stringify(row)).join('\n')}\nnot json\n`,
    })
    const answers = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers.map((each) => [each.id, each.effect, each.guard])).toEqual([
      ['a', 'pass', null],
      ['b', 'deny', 'safety/git/force-push'],
      [undefined, 'deny', 'safety/files/delete-root'],
      ['c', 'deny', 'secrets/env-file/read'],
      ['d', 'deny', null],
      [undefined, 'deny', null],
    ])
    expect(answers[4].error).toBe('ROW_INVALID')
    expect(ran.exitCode).toBe(65)
  })

  it('takes packs and a level', async () => {
    const stdin = '{"command":"cat .env"}\n{"command":"git push -f"}\n'
    const effects = async (...args: string[]) =>
      (await world.run(['check', '--jsonl', ...args], { stdin })).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).effect)
    expect(await effects('--pack', 'safety')).toEqual(['pass', 'deny'])
    expect(await effects('--pack', 'secrets')).toEqual(['deny', 'pass'])
    expect((await world.run(['check', '--jsonl', '--pack', 'nope'], { stdin })).exitCode).toBe(78)
    expect((await world.run(['check', '--jsonl', '--level', 'mild'], { stdin })).exitCode).not.toBe(0)
  })
})

describe('explain', () => {
  it('shows the command as it was read, the hooks that matched and where they come from', async () => {
    world.config('version: 1\npacks:\n  safety: true\n')
    const args = JSON.stringify({ command: 'sudo bash -c "git push --force"' })
    const ran = await world.run(['explain', '--tool', 'Bash', '--args', args])
    for (const part of ['deny', 'git push --force', 'through', 'safety/git/force-push', 'config.yaml:3'])
      expect(ran.stdout).toContain(part)
    const json = JSON.parse((await world.run(['explain', '--tool', 'Bash', '--args', args, '--json'])).stdout)
    expect(json).toMatchObject({
      decision: { effect: 'deny' },
      shell: expect.any(Array),
      hooks: expect.any(Array),
    })
  })

  it('shows a record of the journal by its id', async () => {
    await world.hook(bash('git push --force'))
    const { id } = JSON.parse((await world.run(['log', '--json'])).stdout)
    expect((await world.run(['explain', id])).stdout).toContain('safety/git/force-push')
    const unknown = await world.run(['explain', 'nope'])
    expect(unknown).toMatchObject({ exitCode: 66, stderr: expect.stringContaining('holdpoint log') })
  })
})
