import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Answer, Failure } from '../../core/decision.ts'
import { actorOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { create } from './handler.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-function-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const handler = create({ guard: () => undefined, callable: () => undefined, searchPath: (path) => path })

/** The document's own sample. */
const SAMPLE = `
def pre_tool_use_hook(tool_name: str, tool_args: dict, context: dict) -> dict:
    if context.get("skill") != "mux":
        return {"action": "allow"}
    FORBIDDEN_TOOLS = ["Read", "Write", "Edit", "Grep", "Glob"]
    if tool_name in FORBIDDEN_TOOLS:
        return {
            "action": "block",
            "reason": f"{tool_name} is forbidden for MUX orchestrator. Delegate via Task()."
        }
    return {"action": "allow"}

if __name__ == "__main__":
    raise SystemExit("nobody asked for this")
`
const JAVASCRIPT = `
console.log('noise')
export async function preToolUseHook(name, args, context) {
  return { action: 'block', reason: [name, args.file_path, context.skill].join(' ') }
}
`
const PROGRAM = `#!/bin/sh
read -r event
echo '{"action":"block","reason":"'"$(echo "$event" | tr -d '"' | cut -c1-40)"'"}'
`

async function run(
  name: string,
  text: string,
  { tool = 'Read', skills = ['mux'], skill = 'mux', debug = false } = {},
): Promise<Answer | Failure | null> {
  writeFileSync(join(folder, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 })
  const start = {
    type: 'command',
    command: `./${name}`,
    protocol: 'mux',
    function: true,
    root: folder,
    debug,
  }
  const runner = await handler.prepare(hookOf({ run: start, actor: { skill }, trusted: true }))
  if (typeof runner !== 'function') return runner
  const event = toolCall(tool, { file_path: '/path' })
  const facts = frozenFacts({ project: folder, env: { PATH: process.env.PATH } })
  const { signal } = new AbortController()
  const actor = actorOf(event, { skills })
  return runner({ event, actor, facts, memory: {}, timeoutMs: 20_000, signal })
}

describe('a hook that is a function of tool, arguments and context', () => {
  it.each(['Read', 'Write', 'Edit', 'Grep', 'Glob'])(
    'in Python blocks %s with its own reason (R-001-13, R-001-14)',
    async (tool) => {
      expect(await run('sample.py', SAMPLE, { tool })).toMatchObject({
        effect: 'deny',
        reason: `${tool} is forbidden for MUX orchestrator. Delegate via Task().`,
      })
    },
  )

  it('in Python gets the tool, its arguments and a context with the skill (R-001-09)', async () => {
    const echo = `import json
def pre_tool_use_hook(tool_name, tool_args, context):
    types = [type(each).__name__ for each in (tool_name, tool_args, context)]
    return {"action": "block", "reason": json.dumps([types, tool_name, tool_args, context.get("skill")])}
`
    const answer = await run('echo.py', echo)
    expect(JSON.parse(String(answer !== null && 'reason' in answer ? answer.reason : ''))).toEqual([
      ['str', 'dict', 'dict'],
      'Read',
      { file_path: '/path' },
      'mux',
    ])
  })

  it('in Python allows what is not forbidden (R-001-15)', async () => {
    expect(await run('sample.py', SAMPLE, { tool: 'Task' })).toBeNull()
  })

  it('gets the skill it is scoped to, even if another was loaded since (R-001-12)', async () => {
    expect(await run('sample.py', SAMPLE, { skills: ['mux', 'other'] })).toMatchObject({ effect: 'deny' })
    expect(await run('sample.py', SAMPLE, { skills: ['other'], skill: 'other' })).toBeNull()
  })

  it('in JavaScript answers, whatever else it prints', async () => {
    expect(await run('hook.mjs', JAVASCRIPT)).toMatchObject({ effect: 'deny', reason: 'Read /path mux' })
  })

  it('may be a program that reads the same fields from its input', async () => {
    expect(await run('hook.sh', PROGRAM)).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('hook_event_name:PreToolUse'),
    })
  })

  it.each([
    ['raises', 'nope.py', 'def pre_tool_use_hook(a, b, c):\n    raise ValueError("no")\n'],
    ['returns nothing', 'none.py', 'def pre_tool_use_hook(a, b, c):\n    pass\n'],
    ['returns a text', 'text.py', 'def pre_tool_use_hook(a, b, c):\n    return "allow"\n'],
    ['takes other arguments', 'one.py', 'def pre_tool_use_hook(a):\n    return {"action": "allow"}\n'],
    ['cannot be read', 'broken.py', 'def pre_tool_use_hook(a, b, c:\n'],
    [
      'answers an unknown word',
      'word.py',
      'def pre_tool_use_hook(a, b, c):\n    return {"action": "fine"}\n',
    ],
    ['throws in JavaScript', 'throws.mjs', 'export const preToolUseHook = () => { throw new Error("no") }\n'],
    ['returns nothing in JavaScript', 'void.mjs', 'export const preToolUseHook = () => {}\n'],
    [
      'ends the process without an answer',
      'gone.py',
      'import os\ndef pre_tool_use_hook(a, b, c):\n    os._exit(0)\n',
    ],
    ['is a program that prints nothing', 'quiet.sh', '#!/bin/sh\nexit 0\n'],
    ['is not exported', 'hidden.mjs', 'const preToolUseHook = () => ({ action: "allow" })\n'],
  ])('fails if it %s, and never allows a call', async (_name, file, text) => {
    expect(await run(file, text)).toMatchObject({ failure: expect.any(String) })
  })

  it('prints three lines in debug mode (R-001-29, R-001-30)', async () => {
    expect(await run('sample.py', SAMPLE, { debug: true })).toMatchObject({
      effect: 'deny',
      notices: [
        'PreToolUse: tool call intercepted: Read {"file_path":"/path"}',
        'PreToolUse: hook evaluation result: {"action":"block","reason":"Read is forbidden for MUX orchestrator. Delegate via Task()."}',
        'PreToolUse: decision: block',
      ],
    })
    expect(await run('sample.py', SAMPLE, { tool: 'Task', debug: true })).toMatchObject({
      effect: 'pass',
      notices: [
        expect.any(String),
        expect.stringContaining('{"action":"allow"}'),
        'PreToolUse: decision: allow',
      ],
    })
  })
})
