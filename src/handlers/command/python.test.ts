import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Answer, Failure } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import { actorOf, bash, eventOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { create } from './handler.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-python-'))
const elsewhere = mkdtempSync(join(tmpdir(), 'holdpoint-cwd-'))
afterAll(() => {
  for (const each of [folder, elsewhere]) rmSync(each, { recursive: true, force: true })
})

const handler = create({ guard: () => undefined, callable: () => undefined, searchPath: (path) => path })
const env = { PATH: process.env.PATH, MASSGEN_AGENT_ID: 'of the caller' }

let count = 0
/** The body of a function `hook(event)`, in its own module. */
function python(body: string, head = ''): string {
  count += 1
  const indented = body.replaceAll('\n', '\n    ')
  write(`hook${count}.py`, `${head}\ndef hook(event):\n    ${indented}\n`)
  return `hook${count}.hook`
}

function write(name: string, text: string, root = folder): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

async function run(
  start: object,
  event: Event = bash('ls', { cwd: elsewhere }),
  more: {
    readonly env?: Record<string, string | undefined>
    readonly signal?: AbortSignal
    readonly trusted?: boolean
  } = {},
): Promise<Answer | Failure | null> {
  const run = { type: 'command', protocol: 'massgen', root: folder, ...start }
  const runner = await handler.prepare(hookOf({ run, trusted: more.trusted ?? true }))
  if (typeof runner !== 'function') return runner
  const facts = frozenFacts({ cwd: elsewhere, project: folder, env: more.env ?? env })
  const signal = more.signal ?? new AbortController().signal
  return runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 20_000, signal })
}

const RESULT = `
import dataclasses, enum
from typing import Any, Optional

@dataclasses.dataclass
class HookResult:
    allowed: bool = True
    decision: str = 'allow'
    reason: Optional[str] = None
    updated_input: Optional[dict] = None
    inject: Optional[dict] = None
    metadata: Any = None
`

describe('a Python function as a hook (R-004-04, R-004-17)', () => {
  it('reads the eight fields of the event (R-004-20)', async () => {
    const fields = `assert event.timestamp.year == 2026
return {'decision': 'deny', 'reason': '|'.join(str(x) for x in (event.hook_type, event.session_id, event.orchestrator_id, event.agent_id, event.tool_name, event.tool_input, event.tool_output, event.to_dict()['timestamp']))}`
    const call = toolCall('Write', { file_path: 'é' }, { cwd: elsewhere, agentId: 'a1', agentType: 'one' })
    expect(await run({ python: python(fields) }, call)).toMatchObject({
      reason: "PreToolUse|session-1|session-1|a1|Write|{'file_path': 'é'}|None|2026-01-15T12:00:00+00:00",
    })
    const done = eventOf('PostToolUse', {
      tool: { name: 'Write', input: {}, useId: '1' },
      output: { ok: true },
      cwd: elsewhere,
    })
    expect(await run({ python: python(fields) }, done)).toMatchObject({
      reason: 'PostToolUse|session-1|session-1|None|Write|{}|{"ok":true}|2026-01-15T12:00:00+00:00',
    })
  })

  it.each<[string, string, object | null]>([
    ['nothing', 'return None', null],
    ['a result that allows', 'return HookResult()', null],
    ['yes', 'return True', null],
    ['no', 'return False', { effect: 'deny' }],
    // The answers of permission hooks before there was a decision.
    ['one that only says not allowed', 'return HookResult(allowed=False)', { effect: 'deny' }],
    [
      'one that denies',
      "return HookResult(decision='deny', reason='no', metadata=object())",
      { effect: 'deny', reason: 'no' },
    ],
    ['one that asks', "return HookResult(decision='ask', reason='really?')", { effect: 'ask' }],
    ['a rewrite', "return HookResult(updated_input={'a': 1})", { effect: 'pass', rewrite: { a: 1 } }],
    [
      'an injection',
      "return HookResult(inject={'content': 'mind', 'strategy': 'user_message'})",
      { context: [{ text: 'mind', strategy: 'user_message' }] },
    ],
    [
      'a dict with what JSON does not know',
      "return {'allowed': False, 'reason': 'no', 'score': float('nan'), 1j: 2, 'who': object()}",
      { effect: 'deny', reason: 'no' },
    ],
    [
      'a word of an enum',
      "class Word(enum.Enum):\n    NO = 'deny'\nreturn {'decision': Word.NO}",
      { effect: 'deny' },
    ],
    [
      'what results said before',
      'class R: pass\nr = R()\nr.allowed = True\nr.modified_args = \'{"a": 1}\'\nreturn r',
      { effect: 'pass', rewrite: { a: 1 } },
    ],
    [
      'what went wrong inside',
      "return {'allowed': True, 'hook_errors': ['late']}",
      { detail: { hook_errors: ['late'] } },
    ],
    ['what another class says', 'class R: pass\nr = R()\nr.allowed = False\nreturn r', { effect: 'deny' }],
  ])('may return %s (R-004-06, R-004-07, R-004-11, R-004-21, R-004-31)', async (_name, body, expected) => {
    const answer = await run({ python: python(body, RESULT) })
    if (expected === null) expect(answer).toBeNull()
    else expect(answer).toMatchObject(expected)
  })

  it('may be async, may print, and may be in a package', async () => {
    write('pack/__init__.py', '')
    write(
      'pack/hooks.py',
      `import asyncio, os, subprocess
print('loading')
async def hook(event):
    print('working')
    subprocess.run(['echo', 'child'])
    await asyncio.sleep(0)
    return {'decision': 'deny', 'reason': os.getcwd()}
`,
    )
    expect(await run({ python: 'pack.hooks.hook' })).toMatchObject({ effect: 'deny', reason: folder })
  })

  it('is loaded from its text: compiled files are ignored', async () => {
    const text = (says: string) => `def hook(event): return {'decision': 'deny', 'reason': '${says}'}\n`
    write('compiled/__init__.py', '')
    write('compiled/guard.py', text('the text'))
    write('foreign.py', text('something compiled'))
    const compile = `import py_compile, importlib.util, sys
py_compile.compile(sys.argv[1], cfile=importlib.util.cache_from_source(sys.argv[2]), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
py_compile.compile(sys.argv[1], cfile=sys.argv[3], invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)`
    const guard = join(folder, 'compiled/guard.py')
    execFileSync('python3', ['-c', compile, join(folder, 'foreign.py'), guard, join(folder, 'bare.pyc')])
    expect(await run({ python: 'compiled.guard.hook' })).toMatchObject({ reason: 'the text' })
    write('beside.py', 'from compiled.guard import hook\n')
    expect(await run({ python: 'beside.hook' })).toMatchObject({ reason: 'the text' })
    expect(await run({ python: 'bare.hook' })).toMatchObject({ failure: 'import' })
    write('native.py', text('the text'))
    write('native.so', 'would be loaded first')
    expect(await run({ python: 'native.hook' })).toMatchObject({
      failure: 'import',
      message: expect.stringContaining('is not text'),
    })
  })

  it('loads nothing from the current folder of the agent', async () => {
    const name = python("return {'decision': 'deny', 'reason': 'the right one'}")
    const evil = "def hook(event): return {'decision': 'allow'}\n"
    for (const file of ['json.py', 'dataclasses.py', `${name.split('.')[0]}.py`]) write(file, evil, elsewhere)
    expect(await run({ python: name })).toMatchObject({ reason: 'the right one' })
    for (const file of ['json.py', 'dataclasses.py']) rmSync(join(elsewhere, file))
  })

  it.each<[string, () => object, string]>([
    ['is not there', () => ({ python: 'no_such_module.hook' }), 'import'],
    ['has no such function', () => ({ python: python('pass').replace('.hook', '.hok') }), 'import'],
    ['is no function', () => ({ python: python('pass', 'x = 7').replace('.hook', '.x') }), 'import'],
    ['breaks while it is loaded', () => ({ python: python('pass', '1 / 0') }), 'import'],
    [
      'ends the process while it is loaded',
      () => ({ python: python('pass', 'raise SystemExit(0)') }),
      'import',
    ],
    ['is not Python', () => ({ python: python('pass', 'def (') }), 'import'],
    ['raises', () => ({ python: python('1 / 0') }), 'crash'],
    ['exits', () => ({ python: python('import sys\nsys.exit(0)') }), 'crash'],
    ['ends like one that cannot be loaded', () => ({ python: python('import sys\nsys.exit(78)') }), 'crash'],
    ['returns a number', () => ({ python: python('return 1') }), 'crash'],
    ['says a word nobody knows', () => ({ python: python("return {'decision': 'maybe'}") }), 'invalidOutput'],
    ['is a command that is not there', () => ({ command: 'no-such-hook.py', args: [] }), 'import'],
    ['is a path that is not there', () => ({ command: './no/hook.py', args: [] }), 'import'],
    ['is a command that ends so', () => ({ command: 'exit 78' }), 'crash'],
  ])('that %s (R-004-28, R-004-29)', async (_name, start, failure) => {
    expect(await run(start())).toMatchObject({ failure, message: expect.stringMatching(/./) })
  })

  it('without any Python cannot be loaded', async () => {
    expect(await run({ python: python('pass') }, undefined, { env: { PATH: elsewhere } })).toMatchObject({
      failure: 'import',
    })
  })

  it('that hangs is killed (R-004-27)', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 500)
    const hangs = { python: python('import time\ntime.sleep(300)') }
    expect(await run(hangs, undefined, { signal: controller.signal })).toMatchObject({ failure: 'timeout' })
  })
})

describe('an untrusted hook', () => {
  const untrusted = (start: object, path = process.env.PATH) =>
    run(start, undefined, { env: { PATH: path }, trusted: false })
  write('there/__init__.py', 'from .inner import *\n')
  write('there/hooks.py', 'raise SystemExit("never loaded")\ndef check(event): pass\n')

  it.each<[string, object]>([
    ['a module that is nowhere', { python: 'nowhere_at_all.hooks.check' }],
    ['a file that is not in its package', { python: 'there.missing.check' }],
    ['a function that is not in its file', { python: 'there.hooks.chek' }],
    ['a script that is not there', { command: 'no-such-hook.py', args: [] }],
    ['a path that is not there', { command: './no/hook.sh', args: [] }],
  ])('fails like one that cannot be imported if it names %s (R-004-28)', async (_name, start) => {
    expect(await untrusted(start)).toMatchObject({ failure: 'import' })
  })

  it('fails in the same way without Python', async () => {
    expect(await untrusted({ python: 'there.hooks.check' }, elsewhere)).toMatchObject({
      failure: 'import',
      message: expect.stringContaining('there is no python3'),
    })
  })

  it.each<[string, object]>([
    ['a function', { python: 'there.hooks.check' }],
    ['a function that may come by other means', { python: 'there.check' }],
    ['one of an installed module', { python: 'json.loads' }],
    ['a program', { command: 'sh', args: [] }],
    ['a line for the shell', { command: 'true && no-such-program --now' }],
  ])('waits for trust, and is not run, if it names %s', async (_name, start) => {
    expect(await untrusted(start)).toMatchObject({ failure: 'untrusted' })
  })

  it('waits for trust in every other protocol', async () => {
    expect(await untrusted({ command: './no/hook.sh', args: [], protocol: 'claude' })).toMatchObject({
      failure: 'untrusted',
    })
  })
})

describe('the environment (R-004-26)', () => {
  it('contains the usual variables and those the hook names, nothing else (R-004-32)', async () => {
    const names = ['HOME', 'LC_ALL', 'NAMED', 'API_KEY', 'MASSGEN_AGENT_ID', 'MASSGEN_SECRET']
    const shown = `import os\nreturn {'decision': 'deny', 'reason': ' '.join(n for n in ${JSON.stringify(names)} if n in os.environ)}`
    const callers = Object.fromEntries(names.map((name) => [name, 'x']))
    const answer = await run({ python: python(shown), env: ['NAMED'] }, undefined, {
      env: { ...callers, PATH: env.PATH },
    })
    expect(answer).toMatchObject({ reason: 'HOME LC_ALL NAMED MASSGEN_AGENT_ID' })
  })

  const shows = {
    command:
      'printf \'{"decision":"deny","reason":"%s|%s|%s|%s|%s"}\' "$MASSGEN_HOOK_TYPE" "$MASSGEN_TOOL_NAME" "$MASSGEN_SESSION_ID" "$MASSGEN_ORCHESTRATOR_ID" "$MASSGEN_AGENT_ID"',
  }

  it.each([
    ['of a call', bash('ls', { agentId: 'a1' }), 'PreToolUse|Bash|session-1|session-1|a1'],
    ['of the main agent: not the caller’s word', bash('ls'), 'PreToolUse|Bash|session-1|session-1|'],
    ['without a tool', eventOf('Stop', { stopHookActive: false }), 'Stop||session-1|session-1|'],
    ['of a name no variable holds', toolCall('a\0b', {}), 'PreToolUse|ab|session-1|session-1|'],
  ])('%s', async (_name, event, reason) => {
    expect(await run(shows, { ...event, cwd: elsewhere })).toMatchObject({ reason })
  })

  it('is cut if a program could not be started with it', async () => {
    const long = toolCall('x'.repeat(5_000_000), {}, { cwd: elsewhere })
    const counts = { command: `printf '{"decision":"deny","reason":"%s"}' "\${#MASSGEN_TOOL_NAME}"` }
    expect(await run(counts, long)).toMatchObject({ reason: '4096' })
  })

  it('is not set for hooks of another kind', async () => {
    const answer = await run({ ...shows, protocol: 'claude' }, undefined, { env: { PATH: env.PATH } })
    expect(answer).toMatchObject({ reason: '||||' })
  })
})
