import { describe, expect, it } from 'vitest'
import type { Answer } from '../../core/decision.ts'
import type { Guard, GuardMatch } from '../../core/guard.ts'
import type { JsonObject } from '../../core/json.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { create } from './handler.ts'

/** The match for the text of each command. */
const CATCHES: Readonly<Record<string, GuardMatch>> = {
  'rm -rf /srv': { caught: 'deletes /srv', detail: { path: '/srv' } },
  'find /srv -delete': { caught: 'deletes /srv', detail: { path: '/srv' } },
  'rm -rf /opt': { caught: 'deletes /opt', detail: { path: '/opt' } },
  'rm -rf $X': { caught: 'deletes a folder', unsure: '$X is not known', detail: { path: '‹$X›' } },
  'rm -rf /o$X': { caught: 'deletes a folder', unsure: '$X is not known', detail: { path: '/o‹$X›' } },
  'git reset --hard': { caught: 'throws away', detail: { effect: 'git-discard git/hard-reset' } },
  'git checkout -f': { caught: 'throws it away', detail: { effect: 'git-discard git/hard-reset' } },
}

const guard: Guard = {
  id: 'p/stops',
  title: 'Losing work',
  why: 'It is lost.',
  instead: 'keep it.',
  on: ['PreToolUse'],
  match: 'Bash',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: [], passes: [] },
  check: ({ event }) => ('tool' in event ? (CATCHES[String(event.tool.input.command)] ?? null) : null),
}
const handler = create({ guard: () => guard, callable: () => undefined, searchPath: (path) => path })

async function answer(command: string, memory: JsonObject | undefined): Promise<Answer> {
  const run = { type: 'guard', pack: 'p', guard: guard.id, mode: 'deny', unsure: 'ask', options: {} }
  const runner = await handler.prepare(hookOf({ run }))
  if (typeof runner !== 'function') throw new Error('not prepared')
  const event = bash(command)
  const signal = new AbortController().signal
  const call = { event, actor: actorOf(event), facts: frozenFacts(), memory, timeoutMs: 1_000, signal }
  return (await runner(call)) as Answer
}

/** The memory after these were denied. */
async function memoryAfter(...commands: readonly string[]): Promise<JsonObject> {
  let memory: JsonObject = {}
  for (const command of commands) {
    for (const patch of (await answer(command, memory)).rememberDenied ?? []) {
      if (patch.op !== 'push') throw new Error('not a push')
      const before = memory[patch.key]
      memory = { ...memory, [patch.key]: [...(Array.isArray(before) ? before : []), patch.value] }
    }
  }
  return memory
}

const AGAIN = 'The same act was blocked before'

describe('an act that was denied', () => {
  it('is recognised on the same path in another form, and the answer says so', async () => {
    const second = await answer('find /srv -delete', await memoryAfter('rm -rf /srv'))
    expect(second).toMatchObject({ effect: 'deny', reason: expect.stringContaining(AGAIN) })
    expect(second.detail).toMatchObject({ repeat: true })
  })

  it('without a path is recognised by its effect', async () => {
    const second = await answer('git checkout -f', await memoryAfter('git reset --hard'))
    expect(second.reason).toContain(AGAIN)
  })

  it('with the same text, on another path, or the first time is not a repeat', async () => {
    const memory = await memoryAfter('rm -rf /srv')
    expect((await answer('rm -rf /srv', memory)).reason).not.toContain(AGAIN)
    expect((await answer('rm -rf /opt', memory)).reason).not.toContain(AGAIN)
    expect((await answer('rm -rf /srv', {})).reason).not.toContain(AGAIN)
  })

  it('is denied, not asked about, if an unclear form hides whether it is the same', async () => {
    expect(await answer('rm -rf $X', {})).toMatchObject({ effect: 'ask' })
    expect(await answer('rm -rf $X', await memoryAfter('rm -rf /srv'))).toMatchObject({ effect: 'deny' })
    expect(await answer('rm -rf /o$X', await memoryAfter('rm -rf /srv'))).toMatchObject({ effect: 'ask' })
    expect(await answer('rm -rf /o$X', await memoryAfter('rm -rf /opt'))).toMatchObject({ effect: 'deny' })
  })

  it('is remembered once for each form, and an unsure match never', async () => {
    const memory = await memoryAfter('rm -rf /srv', 'rm -rf /srv', 'find /srv -delete', 'rm -rf $X')
    expect(memory['holdpoint/note/denied']).toHaveLength(2)
  })

  it('is denied without memory too; missing memory is not a failure', async () => {
    expect(await answer('rm -rf /srv', undefined)).toMatchObject({ effect: 'deny', rememberDenied: [] })
  })
})
