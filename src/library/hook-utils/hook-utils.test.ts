import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answerEvent, logLine, readHandoff } from './index.ts'

const FILE = new URL('../../../hook-utils/hook-utils.sh', import.meta.url).pathname

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-hook-utils-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A folder with the few programs on the path, for each JSON reader: made once, because it starts many programs. */
const paths = new Map<string, string>()
afterAll(() => {
  for (const path of paths.values()) rmSync(path, { recursive: true, force: true })
})

/** Only these programs are on the path, so that each JSON reader is tried. */
function pathWith(reader: string): string {
  const known = paths.get(reader)
  if (known !== undefined) return known
  const path = mkdtempSync(join(tmpdir(), 'holdpoint-hook-path-'))
  paths.set(reader, path)
  // The program itself: a launcher of a version manager would need more of the path.
  const itself: Readonly<Record<string, string>> = {
    node: process.execPath,
    python3: execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    }).trim(),
  }
  for (const name of [
    'sh',
    'head',
    'tr',
    'cut',
    'date',
    'mkdir',
    'sed',
    'tail',
    'dirname',
    ...(reader === '' ? [] : [reader]),
  ]) {
    symlinkSync(
      itself[name] ?? execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(path, name),
    )
  }
  return path
}

function run(body: string, input: string, reader: string) {
  const env = {
    PATH: pathWith(reader),
    HOME: folder,
    HOOK_LOG_DIR: join(folder, 'logs'),
  }
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `. ${FILE}\nhook_read\n${body}`], {
    input,
    env,
    encoding: 'utf8',
  })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}
const EVENT = JSON.stringify({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'a "b" \\ ü', deep: { x: 1 } },
})
const READERS = ['node', 'python3']

describe.each(READERS)('K-35: the shell file with %s', (reader) => {
  it('reads fields, and denies with exit code 2', () => {
    const { status, stdout, stderr } = run(
      'hook_field tool_input.command; hook_field nothing.here; hook_field tool_input.deep; hook_deny "No: $(hook_field tool_name)"',
      EVENT,
      reader,
    )
    const [command, deep] = stdout.split('\n')
    expect([status, stderr, command, JSON.parse(deep ?? '')]).toEqual([2, 'No: Bash', 'a "b" \\ ü', { x: 1 }])
  })

  it('asks and informs with valid JSON', () => {
    const asked = run('hook_ask "Really \\"this\\"?"', EVENT, reader)
    expect(JSON.parse(asked.stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'Really "this"?',
    })
  })

  it.each(['', 'not json', '[1]', '"x"', '{"a":'])('denies input that is not an event: %j', (input) => {
    expect(run('hook_pass', input, reader)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not a JSON object'),
    })
  })
})

describe('K-35: the shell file', () => {
  it('denies if no program can read JSON', () => {
    expect(run('hook_pass', EVENT, '').status).toBe(2)
  })

  it('logs in the documented format, on one line', () => {
    expect(run('hook_log my-hook "one\ntwo"; hook_log ../x "no"; hook_pass', EVENT, 'node').status).toBe(0)
    expect(readFileSync(join(folder, 'logs/my-hook.log'), 'utf8')).toMatch(
      /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] one two\n$/,
    )
  })

  it('finds the handoff phrase without Holdpoint too', () => {
    expect(
      run('hook_handoff "Done. Use the unit-testing-agent subagent to test it."', EVENT, 'node').stdout,
    ).toBe('unit-testing-agent')
  })
})

describe('K-35: the module', () => {
  const decide = () => ({ deny: 'no' })
  it.each([
    ['a denial', EVENT, decide, { exitCode: 2, stderr: 'no\n' }],
    ['no opinion', EVENT, () => undefined, { exitCode: 0, stdout: '', stderr: '' }],
    ['garbage', '{', decide, { exitCode: 2, stderr: expect.stringContaining('not a JSON object') }],
    [
      'an error',
      EVENT,
      () => {
        throw new Error('broke')
      },
      { exitCode: 2, stderr: 'The hook failed: broke\n' },
    ],
    [
      'a question',
      EVENT,
      () => ({ ask: 'sure?' }),
      { exitCode: 0, stdout: expect.stringContaining('"permissionDecision":"ask"') },
    ],
    [
      'a question where nobody is asked',
      '{"hook_event_name":"Stop"}',
      () => ({ ask: 'sure?' }),
      { exitCode: 2, stderr: 'sure?\n' },
    ],
    [
      'context',
      EVENT,
      () => ({ context: 'x' }),
      { exitCode: 0, stdout: expect.stringContaining('"additionalContext":"x"') },
    ],
  ])('%s', async (_name, text, say, reply) => {
    expect(await answerEvent(text, say)).toMatchObject(reply)
  })

  it('writes log lines and reads handoffs', () => {
    expect(logLine('a\nb', new Date(2026, 0, 15, 12, 0, 1))).toBe('[2026-01-15 12:00:01] a b')
    expect(readHandoff('Use the a-b subagent to test.').to).toBe('a-b')
  })
})
