import { describe, expect, it } from 'vitest'
import { NO_OPINION } from '../core/engine/combine.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { recordOf } from './record.ts'

function recorded(input: JsonObject, keepInput: boolean): JsonObject | undefined {
  const event: Event = {
    kind: 'PreToolUse',
    host: 'claude-code',
    name: 'PreToolUse',
    session: 's',
    cwd: '/srv/project',
    raw: { secret: 'only in raw' },
    tool: { name: 'Write', input, useId: 'toolu_1' },
  }
  const actor = { session: 's', role: 'main', skills: [], scopeKnown: true } as const
  const about = {
    id: 'r',
    at: new Date(0),
    project: '/srv/project',
    revision: 'v',
    durationMs: 1,
    maskers: [],
  }
  return recordOf(event, actor, NO_OPINION, { ...about, repeated: false, keepInput }).extra
}

describe('a record', () => {
  it("names the host's id of the call", () => {
    expect(recorded({ file_path: 'a' }, false)).toEqual({ call: 'toolu_1' })
  })

  it('contains the whole event on request, and nothing of the raw payload', () => {
    const input = { file_path: 'a', content: 'x'.repeat(5_000) }
    expect(recorded(input, true)).toEqual({
      call: 'toolu_1',
      event: { tool: { name: 'Write', input, useId: 'toolu_1' } },
    })
  })

  it('of a whole event is masked, and says so', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const extra = recorded({ content: `token = ${token}` }, true)
    expect(extra).toMatchObject({ eventMasked: true })
    expect(JSON.stringify(extra)).not.toContain(token)
  })

  it('leaves out an event that is too large or nested too deeply, and says so', () => {
    expect(recorded({ content: 'x'.repeat(300_000) }, true)).toEqual({ call: 'toolu_1', eventLeftOut: true })
    let deep: JsonObject = {}
    for (let n = 0; n < 20_000; n += 1) deep = { deep }
    expect(recorded(deep, true)).toEqual({ call: 'toolu_1', eventLeftOut: true })
  })
})
