import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineHook } from './define-hook.ts'
import type { Event, EventOf } from './event.ts'

describe('defineHook', () => {
  it('returns its argument unchanged', () => {
    const hook = { on: 'PreToolUse', run: () => undefined } as const
    expect(defineHook(hook)).toBe(hook)
  })

  it('types the event by `on`, and the input of well-known tools by `match`', () => {
    defineHook({
      on: 'PreToolUse',
      match: 'Bash',
      run(event, context) {
        expectTypeOf(event.kind).toEqualTypeOf<'PreToolUse'>()
        expectTypeOf(event.tool.input.command).toExtend<string>()
        expectTypeOf(context.timeoutMs).toEqualTypeOf<number>()
        return event.tool.input.command.includes('x') ? { deny: 'why' } : undefined
      },
    })
    defineHook({
      on: ['PreToolUse', 'PostToolUse'],
      run(event) {
        expectTypeOf(event.kind).toEqualTypeOf<'PreToolUse' | 'PostToolUse'>()
        if (event.tool.name === 'x') return { effect: 'pass', context: [{ text: 'x', to: 'self' }] }
        return null
      },
    })
    defineHook({
      on: 'SessionStart',
      run: (event) => {
        expectTypeOf(event).toEqualTypeOf<EventOf<'SessionStart'>>()
      },
    })
    defineHook({
      run: async (event) => {
        expectTypeOf(event).toEqualTypeOf<Event>()
      },
    })
    // @ts-expect-error: there is no such event
    defineHook({ on: 'PreToolUs', run: () => undefined })
    // @ts-expect-error: a plain text is not an answer
    defineHook({ run: () => 'deny' })
  })
})
