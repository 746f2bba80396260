import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createSandbox, type Ran, type Sandbox } from './command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

/** Denied, with nothing on standard output, and with a message that says what to do. */
function stopped(ran: Ran, code: string): void {
  expect(ran.stdout).toBe('')
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toMatch(/^holdpoint: this could not be judged\. /)
  expect(ran.stderr).toContain(`[${code}]`)
  expect(ran.stderr).toContain('Tell the user')
}

describe('hook denies a payload that cannot be checked', () => {
  const event = JSON.stringify(call('Bash', { command: 'ls' }))
  it.each<[string, string | Buffer, string]>([
    ['empty', '', 'PAYLOAD_EMPTY'],
    ['not JSON', 'hello', 'PAYLOAD_NOT_JSON'],
    ['truncated JSON', event.slice(0, -20), 'PAYLOAD_NOT_JSON'],
    ['a list', `[${event}]`, 'PAYLOAD_NOT_OBJECT'],
    ['a number', '7', 'PAYLOAD_NOT_OBJECT'],
    ['two objects', `${event}\n${event}`, 'PAYLOAD_NOT_JSON'],
    ['a raw NUL byte', event.replace('ls', 'l\0s'), 'PAYLOAD_NOT_JSON'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'PAYLOAD_NOT_TEXT'],
    ['without a tool name', JSON.stringify({ ...call('Bash', {}), tool_name: undefined }), 'PAYLOAD_FIELD'],
    [
      'a tool name of the wrong type',
      JSON.stringify({ ...call('Bash', {}), tool_name: {} }),
      'PAYLOAD_FIELD',
    ],
    ['without an input', JSON.stringify({ ...call('Bash', {}), tool_input: undefined }), 'PAYLOAD_FIELD'],
    [
      'an input of the wrong type',
      JSON.stringify({ ...call('Bash', {}), tool_input: ['ls'] }),
      'PAYLOAD_FIELD',
    ],
    ['an empty object', '{}', 'PAYLOAD_FIELD'],
  ])('%s', async (_name, stdin, code) => {
    stopped(await sandbox.hook(stdin), code)
  })

  it('more than 32 MiB', async () => {
    const huge = JSON.stringify(call('Write', { content: 'x'.repeat(33 * 1024 * 1024) }))
    stopped(await sandbox.hook(huge), 'PAYLOAD_TOO_LARGE')
  })

  it('an unknown host', async () => {
    const ran = await sandbox.run(['hook', 'nonesuch'], { stdin: event })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('Unknown host "nonesuch". Hosts: antigravity, claude-code,')
  })

  it.each<[string, string[], string]>([
    ['an unknown option', ['--frobnicate'], 'OPTION_INVALID'],
    ['an option without its value', ['--pack'], 'OPTION_INVALID'],
    ['a pack that does not exist', ['--pack', 'saftey'], 'PLAN_MISSING'],
    ['a wrong last resort', ['--on-failure', 'allow'], 'OPTION_INVALID'],
    ['a deadline that is not a number', ['--deadline-ms', 'soon'], 'OPTION_INVALID'],
  ])('%s', async (_name, args, code) => {
    const ran = await sandbox.hook(event, args)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain(`[${code}]`)
  })

  it('an input that is never closed, at the deadline', async () => {
    const ran = await sandbox.hook('{"hook_event', ['--deadline-ms', '300'], { open: true, process: true })
    stopped(ran, 'INPUT_TIMEOUT')
  })
})

describe('if a payload cannot be read, hook', () => {
  it.each(['Stop', 'SubagentStop', 'PostToolUse', 'SessionStart', 'SessionEnd', 'PreCompact'])(
    'lets %s pass and notifies the user',
    async (event) => {
      const ran = await sandbox.hook('garbage', ['--event', event])
      expect(ran.exitCode).toBe(0)
      expect(JSON.parse(ran.stdout)).toEqual({ systemMessage: expect.stringContaining('[PAYLOAD_NOT_JSON]') })
    },
  )

  it.each(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'ConfigChange'])(
    'denies %s',
    async (event) => {
      stopped(await sandbox.hook('garbage', ['--event', event]), 'PAYLOAD_NOT_JSON')
    },
  )

  it('follows --on-failure of the installed command', async () => {
    expect(await sandbox.hook('garbage', ['--event', 'Stop', '--on-failure', 'deny'])).toMatchObject({
      exitCode: 2,
      stdout: '',
    })
    expect((await sandbox.hook('garbage', ['--on-failure', 'pass'])).exitCode).toBe(0)
  })
})

describe('hook checks a complete payload', () => {
  it('with 10 MB of content', async () => {
    const ran = await sandbox.hook(
      call('Write', { file_path: join(sandbox.project, 'big.txt'), content: 'x'.repeat(10 * 1024 * 1024) }),
    )
    expect(ran).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  it('and asks about a shell command of 10 MB, because it cannot be read', async () => {
    const ran = await sandbox.hook(call('Bash', { command: `echo ${'x'.repeat(10 * 1024 * 1024)}` }))
    expect(JSON.parse(ran.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } })
  })

  it.each([
    ['with a NUL in a command', 'git\\u0000 push --force'],
    ['with a lone surrogate in a denied command', 'git push --force origin main\\ud800'],
  ])('%s, and never lets it pass unchecked', async (_name, command) => {
    const text = JSON.stringify(call('Bash', { command: 'COMMAND' })).replace('COMMAND', command)
    const ran = await sandbox.hook(text)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: expect.stringMatching(/ask|deny/) },
    })
  })

  it('of an unknown event: it passes and is recorded', async () => {
    const ran = await sandbox.hook({ session_id: 's', hook_event_name: 'BrandNew', cwd: sandbox.project })
    expect(ran).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    const log = await sandbox.run(['log', '--json'])
    expect(JSON.parse(log.stdout)).toMatchObject({ event: 'Unknown', extra: { name: 'BrandNew' } })
  })

  it('of an unknown event with a tool, as a call', async () => {
    const ran = await sandbox.hook(call('Bash', { command: 'rm -rf /' }, { hook_event_name: 'BrandNew' }))
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('Instead:')
  })

  it('without a session, folder and id', async () => {
    const ran = await sandbox.hook({ tool_name: 'Bash', tool_input: { command: 'rm -rf /' } })
    expect(JSON.parse(ran.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })
})

describe('commands that people type', () => {
  it('refuse an event that does not exist, because nothing would be decided about it', async () => {
    for (const command of ['test', 'explain']) {
      const ran = await sandbox.run([command, '--event', 'Stopp'])
      expect(ran).toMatchObject({ exitCode: 64, stdout: '' })
      expect(ran.stderr).toContain('There is no event "Stopp". [EVENT_UNKNOWN]')
    }
  })

  it('name the help of the command that was typed', async () => {
    expect((await sandbox.run(['run'])).stderr).toContain('Run `holdpoint run --help`')
    expect((await sandbox.run(['pin', 'sett'])).stderr).toContain('Run `holdpoint pin --help`')
    expect((await sandbox.run(['tset'])).stderr).toContain('Run `holdpoint help`')
  })

  it('say that there was nothing to remove', async () => {
    const ran = await sandbox.run(['uninstall'])
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^No hooks were installed/) })
  })
})

describe('an invalid configuration', () => {
  const ls = call('Bash', { command: 'ls' })
  const push = call('Bash', { command: 'git push --force' })
  const start = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup' }

  it('denies calls until it is corrected, names the line, and lets a session stop', async () => {
    sandbox.userConfig('version: 1\npacks: [safety\n')
    const ran = await sandbox.hook(ls)
    stopped(ran, 'PLAN_MISSING')
    expect(ran.stderr).toMatch(/config\.yaml:\d+:\d+ /)
    expect(
      (await sandbox.hook({ session_id: 's', hook_event_name: 'Stop', stop_hook_active: false })).exitCode,
    ).toBe(0)
    sandbox.userConfig('version: 1\npacks: { safety: true }\n')
    expect(await sandbox.hook(ls)).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  it('keeps the last valid plan if it was valid before, with a notice', async () => {
    sandbox.userConfig('version: 1\npacks: { safety: true }\n')
    await sandbox.hook(ls)
    sandbox.userConfig('version: 1\npacks: [safety\n')
    expect(await sandbox.hook(ls)).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    expect(JSON.parse((await sandbox.hook(push)).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    expect(JSON.parse((await sandbox.hook(start)).stdout).systemMessage).toMatch(/config\.yaml:\d+:\d+/)
  })

  it('with one wrong entry loses only that entry, and names it', async () => {
    sandbox.userConfig(
      'version: 1\npacks: { safety: true, nosuch: true }\nhooks:\n  PreToolUs:\n    - { run: ./x.sh }\n  PreToolUse:\n    - { match: "(", run: ./y.sh }\n',
    )
    expect(JSON.parse((await sandbox.hook(push)).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    const told = JSON.parse((await sandbox.hook(start)).stdout).systemMessage as string
    for (const part of [
      'nosuch',
      'PreToolUse',
      'hooks.PreToolUse[0].match',
      'config.yaml:4',
      'config.yaml:7',
    ])
      expect(told).toContain(part)
  })

  it('is reported by `test` with what to do', async () => {
    sandbox.userConfig('version: 2\n')
    const ran = await sandbox.run(['test', '--tool', 'Bash', '--args', '{"command":"ls"}'])
    expect(ran.exitCode).toBe(78)
    expect(ran.stderr).toContain('`version` must be the number 1')
  })
})

describe('a home folder', () => {
  it.each<[string, (sandbox: Sandbox) => void]>([
    ['is a file', (w) => writeFileSync(w.home, 'not a folder')],
    [
      'has a state folder that is a file',
      (w) => (mkdirSync(w.home), writeFileSync(join(w.home, 'state'), 'x')),
    ],
    [
      'has a journal folder that is a file',
      (w) => (mkdirSync(w.home), writeFileSync(join(w.home, 'journal'), 'x')),
    ],
    [
      'has a cache folder that is a file',
      (w) => (mkdirSync(w.home), writeFileSync(join(w.home, 'cache'), 'x')),
    ],
  ])('that %s does not change an answer', async (_name, prepare) => {
    prepare(sandbox)
    sandbox.config('version: 1\npacks: { safety: true }\n')
    const allowed = await sandbox.hook(call('Bash', { command: 'ls' }))
    expect(allowed).toMatchObject({ stdout: '{}\n', exitCode: 0 })
    const denied = await sandbox.hook(call('Bash', { command: 'git push --force' }))
    expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('whose configuration is a folder denies calls', async () => {
    mkdirSync(join(sandbox.home, 'config.yaml'), { recursive: true })
    const ran = await sandbox.hook(call('Bash', { command: 'ls' }))
    stopped(ran, 'PLAN_MISSING')
  })
})
