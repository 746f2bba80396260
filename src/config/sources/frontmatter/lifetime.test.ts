import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import { decide } from '../../../core/engine/decide.ts'
import type { DecideContext } from '../../../core/engine/decide-context.ts'
import { good } from '../../../core/errors.ts'
import type { Event } from '../../../core/event.ts'
import { ALL_ABILITIES } from '../../../core/host.ts'
import type { JsonObject } from '../../../core/json.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { eventOf, toolCall } from '../../../library/testing/events.ts'
import { createMemoryState } from '../../../storage/state/memory-state.ts'
import { liveFacts } from '../../../system/live-facts.ts'
import { source } from './source.ts'

/** Hooks of a skill and of an agent in whole sessions: when their program runs, and when it no longer runs. */

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-lifetime-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Records the call it gets, then answers by its parameters. */
const GUARD = `#!/bin/sh
event=$(cat)
echo "$event" | sed -n 's/.*"tool_name":"\\([^"]*\\)".*/\\1/p' >> asked.txt
case "$event" in
  *forbidden*) echo '{"permissionDecision":"deny","reason":"forbidden"}' ;;
  *unsure*) echo '{"permissionDecision":"askFirst","reason":"unsure"}' ;;
  *) echo '{"permissionDecision":"allow"}' ;;
esac
`
const HEAD = `---
hooks:
  PreToolUse:
    - matcher: "*"
      hooks:
        - { type: command, command: .claude/hooks/guard.sh }
---
`

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text, { mode: 0o755 })
}

/** A session in a project whose only hook is in the front matter of this file. */
async function sessionWith(file: string) {
  write('.claude/hooks/guard.sh', GUARD)
  write('asked.txt', '')
  const read = source.parse(HEAD, {
    path: join(folder, file),
    rank: 'frontmatter',
    trusted: true,
    root: folder,
  })
  if (!read.ok) throw new Error(read.problem.message)
  let ids = 0
  const context: DecideContext = {
    engine: await createEngine(buildPlan([read.value], new Map())),
    state: createMemoryState(),
    facts: liveFacts({ cwd: folder, home: folder, project: folder, env: { PATH: process.env.PATH } }),
    can: ALL_ABILITIES,
    deliversTwice: false,
    stopBlocksMax: 3,
    skills: [],
    now: () => performance.now(),
    newId: () => `id-${(ids += 1)}`,
    hash: (text) => text,
    applyFiles: () => good(undefined),
  }
  return async (event: Event) => (await decide(event, context)).decision.effect
}

let uses = 0
const call = (tool: string, input: JsonObject, more: object = {}) =>
  toolCall(tool, input, { tool: { name: tool, input, useId: `use-${(uses += 1)}` }, ...more })
const bash = (command: string, more: object = {}) => call('Bash', { command }, more)
const loads = (more: object = {}) =>
  eventOf('PostToolUse', {
    tool: { name: 'Skill', input: { skill: 'tidy' }, useId: 's' },
    output: {},
    ...more,
  })
const asked = () => readFileSync(join(folder, 'asked.txt'), 'utf8').trimEnd()
const worker = { agentId: 'a1', agentType: 'worker' }
const ends = eventOf('SubagentStop', { ...worker, stopHookActive: false })

describe('hooks of a skill', () => {
  it('run from its start to its end, and not before or after (R-000-02, R-000-03)', async () => {
    const judge = await sessionWith('.claude/skills/tidy/SKILL.md')
    expect(await judge(bash('forbidden'))).toBe('pass')
    expect(asked()).toBe('')
    await judge(loads())
    expect(await judge(bash('forbidden'))).toBe('deny')
    expect(await judge(eventOf('SessionStart', { source: 'clear' }))).toBe('pass')
    expect(await judge(bash('forbidden'))).toBe('pass')
    expect(asked()).toBe('Bash')
  })

  it('of a sub-agent end with the sub-agent, without a cleanup step (R-000-02, R-000-03)', async () => {
    const judge = await sessionWith('.claude/skills/tidy/SKILL.md')
    expect(await judge(bash('forbidden', worker))).toBe('pass')
    await judge(loads(worker))
    expect(await judge(bash('forbidden', worker))).toBe('deny')
    expect(await judge(bash('forbidden'))).toBe('pass')
    await judge(ends)
    expect(await judge(bash('forbidden', worker))).toBe('pass')
    expect(asked()).toBe('Bash')
  })

  it('get every call and its parameters and answer allow, deny or askFirst; then they end (R-000-15)', async () => {
    const judge = await sessionWith('.claude/skills/tidy/SKILL.md')
    await judge(loads())
    const calls: readonly [Event, string][] = [
      [bash('fine'), 'allow'],
      [bash('forbidden'), 'deny'],
      [call('Read', { file_path: 'unsure.md' }), 'ask'],
      [call('Write', { file_path: 'a.md', content: 'forbidden' }), 'deny'],
      [call('Task', { prompt: 'fine' }), 'allow'],
      [call('mcp__files__read', { path: 'unsure' }), 'ask'],
    ]
    for (const [event, effect] of calls) expect(await judge(event)).toBe(effect)
    expect(asked().split('\n')).toEqual(['Bash', 'Bash', 'Read', 'Write', 'Task', 'mcp__files__read'])
    await judge(eventOf('SessionStart', { source: 'clear' }))
    expect(await judge(bash('forbidden'))).toBe('pass')
  })
})

it('hooks of an agent run only for its calls, while it exists (R-000-01, R-000-02, R-000-03)', async () => {
  const judge = await sessionWith('.claude/agents/worker.md')
  expect(await judge(bash('forbidden'))).toBe('pass')
  await judge(eventOf('SubagentStart', worker))
  expect(await judge(bash('forbidden', worker))).toBe('deny')
  expect(await judge(bash('forbidden', { agentId: 'a2', agentType: 'helper' }))).toBe('pass')
  await judge(ends)
  expect(await judge(bash('forbidden'))).toBe('pass')
  expect(asked()).toBe('Bash')
})
