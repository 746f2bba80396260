import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type Ran, type World } from './command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

/** Stopped, nothing on standard output, and a message that says what to do. */
function stopped(ran: Ran, code: string): void {
  expect(ran.stdout).toBe('')
  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toMatch(/^holdpoint: this could not be judged\. /)
  expect(ran.stderr).toContain(`[${code}]`)
  expect(ran.stderr).toContain('tell the user')
}

describe('a payload that cannot be judged is stopped', () => {
  const event = JSON.stringify(call('Bash', { command: 'ls' }))
  it.each<[string, string | Buffer, string]>([
    ['empty', '', 'PAYLOAD_EMPTY'],
    ['not JSON', 'hello', 'PAYLOAD_NOT_JSON'],
    ['truncated JSON', event.slice(0, -20), 'PAYLOAD_NOT_JSON'],
    ['a list', `[${event}]`, 'PAYLOAD_NOT_OBJECT'],
    ['a number', '7', 'PAYLOAD_NOT_OBJECT'],
    ['two objects', `${event}\n${event}`, 'PAYLOAD_NOT_JSON'],
    ['a raw NUL byte', event.replace('ls', 'l\0s'), 'PAYLOAD_NOT_JSON'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'PAYLOAD_NOT_TEXT'],
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
    stopped(await world.hook(stdin), code)
  })

  it('more than is read at all', async () => {
    const huge = JSON.stringify(call('Write', { content: 'x'.repeat(33 * 1024 * 1024) }))
    stopped(await world.hook(huge), 'PAYLOAD_TOO_LARGE')
  })

  it('an unknown host', async () => {
    const ran = await world.run(['hook', 'nonesuch'], { stdin: event })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('There is no host "nonesuch". Hosts: claude-code')
  })

  it.each<[string, string[], string]>([
    ['an unknown option', ['--frobnicate'], 'OPTION_INVALID'],
    ['an option without its value', ['--pack'], 'OPTION_INVALID'],
    ['a pack that does not exist', ['--pack', 'saftey'], 'PLAN_MISSING'],
    ['a wrong last resort', ['--on-failure', 'allow'], 'OPTION_INVALID'],
    ['a deadline that is no number', ['--deadline-ms', 'soon'], 'OPTION_INVALID'],
  ])('%s', async (_name, args, code) => {
    const ran = await world.hook(event, args)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain(`[${code}]`)
  })

  it('an input that is never closed, at its deadline', async () => {
    const ran = await world.hook('{"hook_event', ['--deadline-ms', '300'], { open: true })
    stopped(ran, 'INPUT_TIMEOUT')
  })
})

describe('where the last resort is to go on, the person is told', () => {
  it.each(['Stop', 'SubagentStop', 'PostToolUse', 'SessionStart', 'SessionEnd', 'PreCompact'])(
    '%s',
    async (event) => {
      const ran = await world.hook('garbage', ['--event', event])
      expect(ran.exitCode).toBe(0)
      expect(JSON.parse(ran.stdout)).toEqual({ systemMessage: expect.stringContaining('[PAYLOAD_NOT_JSON]') })
    },
  )

  it.each(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'ConfigChange'])(
    'but never at %s',
    async (event) => {
      stopped(await world.hook('garbage', ['--event', event]), 'PAYLOAD_NOT_JSON')
    },
  )

  it('and the installed command line has the last word', async () => {
    expect(await world.hook('garbage', ['--event', 'Stop', '--on-failure', 'deny'])).toMatchObject({
      exitCode: 2,
      stdout: '',
    })
    expect((await world.hook('garbage', ['--on-failure', 'pass'])).exitCode).toBe(0)
  })
})

describe('strange but whole payloads are judged', () => {
  it('10 MB of content', async () => {
    const ran = await world.hook(
      call('Write', { file_path: join(world.project, 'big.txt'), content: 'x'.repeat(10 * 1024 * 1024) }),
    )
    expect(ran).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  it('10 MB of shell command: cannot be read, so it is asked', async () => {
    const ran = await world.hook(call('Bash', { command: `echo ${'x'.repeat(10 * 1024 * 1024)}` }))
    expect(JSON.parse(ran.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } })
  })

  it.each([
    ['NUL in a command', 'git\\u0000 push --force'],
    ['a lone surrogate in a denied command', 'git push --force origin main\\ud800'],
  ])('%s never goes through unjudged', async (_name, command) => {
    const text = JSON.stringify(call('Bash', { command: 'COMMAND' })).replace('COMMAND', command)
    const ran = await world.hook(text)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: expect.stringMatching(/ask|deny/) },
    })
  })

  it('an unknown event: nothing to say, and recorded', async () => {
    const ran = await world.hook({ session_id: 's', hook_event_name: 'BrandNew', cwd: world.project })
    expect(ran).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    const log = await world.run(['log', '--json'])
    expect(JSON.parse(log.stdout)).toMatchObject({ event: 'Unknown', extra: { name: 'BrandNew' } })
  })

  it('an unknown event with a tool: judged as a call', async () => {
    const ran = await world.hook(call('Bash', { command: 'rm -rf /' }, { hook_event_name: 'BrandNew' }))
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('Instead:')
  })

  it('a missing session, folder and id: judged all the same', async () => {
    const ran = await world.hook({ tool_name: 'Bash', tool_input: { command: 'rm -rf /' } })
    expect(JSON.parse(ran.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })
})

describe('a configuration that is wrong', () => {
  const ls = call('Bash', { command: 'ls' })
  const push = call('Bash', { command: 'git push --force' })
  const start = { session_id: 's', hook_event_name: 'SessionStart', source: 'startup' }

  it('as a whole stops acts until it is corrected, names the line, and lets a session stop', async () => {
    world.config('version: 1\npacks: [safety\n')
    const ran = await world.hook(ls)
    stopped(ran, 'PLAN_MISSING')
    expect(ran.stderr).toMatch(/config\.yaml:\d+:\d+ /)
    expect(
      (await world.hook({ session_id: 's', hook_event_name: 'Stop', stop_hook_active: false })).exitCode,
    ).toBe(0)
    world.config('version: 1\npacks: { safety: true }\n')
    expect(await world.hook(ls)).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  it('that breaks later keeps the last good plan, loudly', async () => {
    world.userConfig('version: 1\npacks: { safety: true }\n')
    await world.hook(ls)
    world.userConfig('version: 1\npacks: [safety\n')
    expect(await world.hook(ls)).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
    expect(JSON.parse((await world.hook(push)).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    expect(JSON.parse((await world.hook(start)).stdout).systemMessage).toMatch(/config\.yaml:\d+:\d+/)
  })

  it('in one entry loses only that entry, and says which', async () => {
    world.config(
      'version: 1\npacks: { safety: true, nosuch: true }\nhooks:\n  PreToolUs:\n    - { run: ./x.sh }\n  PreToolUse:\n    - { match: "(", run: ./y.sh }\n',
    )
    expect(JSON.parse((await world.hook(push)).stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    const told = JSON.parse((await world.hook(start)).stdout).systemMessage as string
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
    world.config('version: 2\n')
    const ran = await world.run(['test', '--tool', 'Bash', '--args', '{"command":"ls"}'])
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain('`version` must be the number 1')
  })
})

describe('a home folder that cannot be used', () => {
  it.each<[string, (world: World) => void]>([
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
  ])('because it %s never changes an answer', async (_name, prepare) => {
    prepare(world)
    world.config('version: 1\npacks: { safety: true }\n')
    const allowed = await world.hook(call('Bash', { command: 'ls' }))
    expect(allowed).toMatchObject({ stdout: '{}\n', exitCode: 0 })
    const denied = await world.hook(call('Bash', { command: 'git push --force' }))
    expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  })

  it('has a configuration that is a folder: broken, so acts are stopped', async () => {
    mkdirSync(join(world.home, 'config.yaml'), { recursive: true })
    const ran = await world.hook(call('Bash', { command: 'ls' }))
    stopped(ran, 'PLAN_MISSING')
  })
})
