import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Answer, Failure } from '../../core/decision.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { areGone, pidsIn } from '../../library/testing/processes.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'
import { STDOUT_MAX_BYTES } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function script(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return `./${name}`
}

const handler = create({ guard: () => undefined, callable: () => undefined, searchPath: (path) => path })
const hook = (
  command: string,
  more: { args?: readonly string[]; protocol?: string; trusted?: boolean } = {},
) => {
  const { trusted = true, ...rest } = more
  return hookOf({ run: { type: 'command', command, root: folder, ...rest }, trusted })
}

const pidFile = join(folder, 'pids')
/** Ignores SIGTERM, and so does the child it leaves behind. */
const hanging = script(
  'hang.sh',
  `#!/bin/sh\ntrap '' TERM INT\n(trap '' TERM; sleep 300) &\necho $$ $! > ${pidFile}.part\nmv ${pidFile}.part ${pidFile}\nwait\nsleep 300\n`,
)

handlerContract({
  handler,
  denies: hook(script('deny.sh', '#!/bin/sh\necho "not this" >&2\nexit 2\n')),
  passes: hook(script('pass.sh', '#!/bin/sh\ncat > /dev/null\n')),
  breaks: hook(script('break.sh', '#!/bin/sh\nexit 7\n')),
  invalidOutput: hook(script('invalid.sh', '#!/bin/sh\necho \'{"decision": "whatever"}\'\n')),
  hangs: {
    hook: hook(hanging),
    begun: () => existsSync(pidFile),
    gone: () => areGone(pidsIn(pidFile)),
  },
  missing: hook('./nowhere.sh'),
  written: ['./policy.sh', { command: 'jq', args: ['.'], protocol: 'mux' }],
})

async function run(...given: Parameters<typeof hook>): Promise<Answer | Failure | null> {
  const runner = await handler.prepare(hook(...given))
  if (typeof runner !== 'function') return runner
  const event = bash('ls', { cwd: folder })
  const env = { PATH: process.env.PATH, FROM_CALLER: 'yes' }
  const facts = frozenFacts({ cwd: folder, project: folder, env })
  return runner({
    event,
    actor: actorOf(event),
    facts,
    memory: {},
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  })
}

/** Answers with a field of the event it read. */
const echo = (expression: string) =>
  `let text = ''; process.stdin.on('data', (d) => { text += d }).on('end', () => { const event = JSON.parse(text); console.log(JSON.stringify({ decision: 'block', reason: String(${expression}) })) })`

describe('the folder of a command', () => {
  const vouched = place('vouched', 'the vouched one')
  const agents = place('agents', 'a foreign one')
  const project = place('project', 'a foreign one')

  function place(name: string, says: string): string {
    const root = join(folder, name)
    mkdirSync(join(root, 'hooks'), { recursive: true })
    const text = `#!/bin/sh\necho "{\\"decision\\":\\"block\\",\\"reason\\":\\"${says} in $PWD\\"}"\n`
    writeFileSync(join(root, 'hooks/guard.sh'), text, { mode: 0o755 })
    writeFileSync(join(root, 'guard.sh'), text, { mode: 0o755 })
    return root
  }

  it.each<[string, object, string]>([
    ['a shell line', { command: 'sh hooks/guard.sh' }, vouched],
    ['a shell line with a bare file', { command: 'sh guard.sh; true' }, vouched],
    ['a shell line that asks the shell', { command: 'sh "$PWD/hooks/guard.sh"' }, vouched],
    ['a bare program', { command: 'sh', args: ['hooks/guard.sh'] }, vouched],
    ['a file with arguments', { command: 'hooks/guard.sh', args: ['hooks/guard.sh'] }, vouched],
    ['a file alone', { command: 'hooks/guard.sh' }, project],
  ])('is the one in which it was trusted: %s', async (_name, start, cwd) => {
    expect(await runIn(start, project)).toMatchObject({ reason: `the vouched one in ${cwd}` })
  })

  it('is the root when there is no project folder', async () => {
    const gone = join(folder, 'gone')
    expect(await runIn({ command: 'hooks/guard.sh' }, gone)).toMatchObject({
      reason: `the vouched one in ${vouched}`,
    })
  })

  it('must exist, or the hook fails', async () => {
    const root = join(folder, 'no-root')
    expect(await runIn({ command: 'sh guard.sh; true', root }, project)).toMatchObject({
      failure: 'import',
      message: expect.stringContaining(`no folder ${root}`),
    })
  })

  async function runIn(start: object, projectFolder: string): Promise<Answer | Failure | null> {
    const entry = hookOf({ run: { type: 'command', root: vouched, ...start }, trusted: true })
    const runner = await handler.prepare(entry)
    if (typeof runner !== 'function') return runner
    const event = bash('ls', { cwd: agents })
    const env = { PATH: process.env.PATH, PWD: agents, OLDPWD: agents }
    const facts = frozenFacts({ cwd: agents, project: projectFolder, env })
    const { signal } = new AbortController()
    return runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 5_000, signal })
  }
})

describe('a command', () => {
  it.each<[string, () => Parameters<typeof hook>]>([
    ['an executable with a shebang', () => [script('run-me', `#!/usr/bin/env node\n${echo("'ran'")}`)]],
    [
      'a script without the executable bit, by its interpreter',
      () => [script('plain.js', echo("'ran'"), 0o644)],
    ],
    [
      'a Python script',
      () => [
        script(
          'plain.py',
          'import json,sys\nprint(json.dumps({"decision": "block", "reason": "ran"}))\n',
          0o644,
        ),
      ],
    ],
    ['a shell command line', () => [`echo '{"decision":"block","reason":"ran"}' | cat`]],
    ['a program with arguments, no shell', () => ['node', { args: ['-e', echo("'ran'")] }]],
    [
      'a file with arguments',
      () => [
        script('args.sh', `#!/bin/sh\necho "{\\"decision\\":\\"block\\",\\"reason\\":\\"$1\\"}"\n`),
        { args: ['ran'] },
      ],
    ],
  ])('may be %s', async (_name, given) => {
    expect(await run(...given())).toMatchObject({ effect: 'deny', reason: 'ran' })
  })

  it("gets the event on its input, the project's folder and the caller's environment (R-000-13, R-003-49)", async () => {
    const probe = echo(
      "[event.tool_name, event.tool_input.command, process.env.FROM_CALLER, process.env.CLAUDE_PROJECT_DIR, process.cwd()].join(' ')",
    )
    const answer = await run(script('probe.js', probe, 0o644))
    expect(answer).toMatchObject({ reason: `Bash ls yes ${folder} ${folder}` })
  })

  it.each([
    ['mux', 'event.tool_args.command', 'ls'],
    ['massgen', 'event.hook_type', 'PreToolUse'],
  ])('gets the event in the format of its protocol: %s', async (protocol, expression, expected) => {
    expect(await run(script(`${protocol}.js`, echo(expression), 0o644), { protocol })).toMatchObject({
      reason: expected,
    })
  })

  it('does not run if it is not trusted', async () => {
    const marker = join(folder, 'ran')
    const answer = await run(script('mark.sh', `#!/bin/sh\ntouch ${marker}\n`), { trusted: false })
    expect(answer).toMatchObject({
      failure: 'untrusted',
      message: expect.stringContaining('holdpoint trust'),
    })
    expect(existsSync(marker)).toBe(false)
  })
})

describe('a command of a MassGen file', () => {
  it.each([
    ['a program', 'no-such-program --strict'],
    ['a script with arguments', './gone.sh --strict'],
    ['a script of an interpreter', 'sh ./gone.sh'],
    ['a script of an interpreter without a path', 'node gone.js'],
  ])(
    'that begins with %s that does not exist cannot be resolved, trusted or not (R-004-28)',
    async (_name, line) => {
      for (const trusted of [true, false]) {
        expect(await run(line, { protocol: 'massgen', trusted })).toMatchObject({ failure: 'import' })
      }
      // Elsewhere a shell line fails as shells fail.
      expect(await run(line)).not.toMatchObject({ failure: 'import' })
    },
  )

  it.each([
    ['a program of the shell', 'echo \'{"allowed":false}\''],
    ['a program', `${process.execPath} -p '"{}" && JSON.stringify({allowed:false})'`],
    ['an interpreter and its script', 'sh ./no.sh --strict'],
    ['a condition', 'if true; then ./no.sh; fi'],
    ['a variable', 'NAME=./no.sh; $NAME'],
  ])('that begins with %s is run', async (_name, line) => {
    script('no.sh', '#!/bin/sh\necho \'{"allowed": false}\'\n')
    expect(await run(line, { protocol: 'massgen' })).toMatchObject({ effect: 'deny' })
  })

  it.each([
    ['false', { effect: 'deny' }],
    ['true', null],
    ['null', null],
  ])('may print %s, as permission hooks answered before (R-004-06)', async (said, expected) => {
    const says = script('says.sh', `#!/bin/sh\necho ${said}\n`)
    const answer = await run(says, { protocol: 'massgen' })
    if (expected === null) expect(answer).toBeNull()
    else expect(answer).toMatchObject(expected)
    expect(await run(says)).toMatchObject({ failure: 'invalidOutput' })
  })
})

// Time, output and process group are limited here; the environment is limited by the caller's facts (R-004-32).
describe('a command that misbehaves', () => {
  it.each<[string, string, object]>([
    [
      'floods its output',
      `head -c ${STDOUT_MAX_BYTES * 3} /dev/zero`,
      { failure: 'invalidOutput', message: expect.stringContaining('more than') },
    ],
    [
      'floods its errors, but answers',
      `head -c 1000000 /dev/zero >&2; echo '{"decision":"block","reason":"ok"}'`,
      { effect: 'deny' },
    ],
    ['never reads its input', `exec 0<&-; echo '{"decision":"block","reason":"ok"}'`, { effect: 'deny' }],
    ['kills itself', 'kill -9 $$', { failure: 'crash', message: expect.stringContaining('SIGKILL') }],
    [
      'leaves a child that holds the pipe open',
      `sleep 300 & echo '{"decision":"block","reason":"ok"}'`,
      { effect: 'deny' },
    ],
    [
      'is not installed',
      'no-such-program-here --flag',
      { failure: 'crash', message: expect.stringContaining('127') },
    ],
    [
      'prints a NUL byte',
      `printf '{"decision":"block","reason":"a\\\\u0000b"}'`,
      { effect: 'deny', reason: 'a\u0000b' },
    ],
  ])('that %s', async (_name, command, expected) => {
    expect(await run(command)).toMatchObject(expected)
  })

  it('that printed a complete deny before it hung has denied', async () => {
    const said = join(folder, 'said')
    const runner = await handler.prepare(
      hook(`echo '{"decision":"block","reason":"said it"}'; touch ${said}; sleep 60`),
    )
    if (typeof runner !== 'function') throw new Error('not prepared')
    const event = bash('ls', { cwd: folder })
    const controller = new AbortController()
    const facts = frozenFacts({ cwd: folder, project: folder, env: { PATH: process.env.PATH } })
    const { signal } = controller
    const answer = runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 5_000, signal })
    while (!existsSync(said)) await sleep(20)
    // Earlier output is in the pipe, and is read before another timer fires.
    await sleep(20)
    controller.abort()
    expect(await answer).toMatchObject({ effect: 'deny', reason: 'said it' })
  })

  it('whose file is not executable and has no known extension reports that', async () => {
    expect(await run(script('data.bin', 'x', 0o644))).toMatchObject({
      failure: 'import',
      message: expect.stringContaining('not executable'),
    })
  })
})
