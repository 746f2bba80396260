import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EVENT_KINDS, type Event } from '../core/event.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { HookEvent } from './hook-event.ts'
import { createRuntime, type Runtime } from './runtime.ts'

const again = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Hooks that report everything they see, so that any difference in the event changes the answer. */
function observed(): Runtime {
  const runtime = createRuntime({ session: 'one', cwd: '/srv/project', env: {} })
  const seen = ({ raw, ...event }: Event) => JSON.stringify([event, raw])
  runtime.register({ run: (event) => ({ ask: seen(event), context: event.kind }) }, { id: 'sees' })
  runtime.register(
    { on: 'PreToolUse', run: (event) => ({ rewrite: { was: event.tool.input } }) },
    { rewrites: true },
  )
  runtime.register({
    on: 'PostToolUse',
    run: (event) => ({ effect: 'pass', output: [event.output], context: [{ text: 'x', to: 'self' }] }),
  })
  return runtime
}

const name = fc.oneof(fc.string(), fc.constantFrom('Bash', 'mcp__files__read', '__proto__', 'constructor'))
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
const object = fc.dictionary(name, json, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>
const tool = fc.record({ name, input: object, useId: fc.string() }, { requiredKeys: ['name', 'input'] })
const events = fc.record(
  {
    kind: fc.constantFrom(...EVENT_KINDS),
    session: fc.string(),
    agent: fc.string(),
    agentType: fc.string(),
    tool,
    output: json,
    prompt: fc.string(),
    error: fc.string(),
    stopHookActive: fc.boolean(),
    extra: json,
  },
  { requiredKeys: ['kind'] },
) as fc.Arbitrary<HookEvent>

describe('event and result are plain JSON (R-004-20, R-004-22)', () => {
  it('an event and its result mean the same after a JSON round trip', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (event) => {
        const result = await observed().evaluate(event)
        expect(again(result)).toEqual(result)
        expect(await observed().evaluate(again(event))).toEqual(result)
      }),
      { numRuns: 300 },
    )
  })

  it('missing fields may be undefined', () => {
    const event = { kind: 'PreToolUse', agent: undefined, tool: { name: 'Bash', input: { a: undefined } } }
    const runtime = observed()
    expect(runtime.evaluate(event as unknown as HookEvent)).toEqual(
      runtime.evaluate(again(event) as unknown as HookEvent),
    )
  })

  it('the key __proto__ does not set a prototype', () => {
    const runtime = createRuntime()
    const inputs: unknown[] = []
    runtime.register({
      on: 'PreToolUse',
      run: ({ tool }) => (inputs.push(tool.input, Object.keys(tool.input)), null),
    })
    const input = JSON.parse('{ "__proto__": { "isAdmin": true } }') as JsonObject
    void runtime.evaluate({ kind: 'PreToolUse', tool: { name: 'Bash', input } })
    expect(inputs[1]).toEqual(['__proto__'])
    expect((inputs[0] as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('shared objects cannot be changed', () => {
  const call = (input: JsonObject) => ({ kind: 'PreToolUse', tool: { name: 'Bash', input } }) as const
  const force = (change: () => void) => {
    try {
      change()
    } catch {
      // Frozen: a hook in strict mode would throw this.
    }
  }

  it("a hook changes neither the caller's objects nor what other hooks see", () => {
    const input = { command: 'ls', list: [1] }
    const seen: string[] = []
    const runtime = createRuntime()
    runtime.register({
      run: (event, context) => {
        if (event.kind !== 'PreToolUse') return null
        const open = event as unknown as { tool: { input: typeof input }; kind: string; raw: { a: number } }
        force(() => (open.tool.input.command = 'rm -rf /'))
        force(() => open.tool.input.list.push(2))
        force(() => (open.tool.input = { command: 'other', list: [] }))
        force(() => (open.raw.a = 1))
        const around = context as unknown as {
          memory: { a: number }
          actor: { role: string }
          env: { a: string }
        }
        force(() => (around.memory.a = 1))
        force(() => (around.actor.role = 'root'))
        force(() => (around.env.a = 'b'))
        return null
      },
    })
    runtime.register({
      on: 'PreToolUse',
      run: ({ tool, raw }, { memory, actor, env }) => (
        seen.push(JSON.stringify([tool.input, raw, memory, actor.role, env.a])), null
      ),
    })
    void runtime.evaluate(call(input))
    expect(seen).toEqual([JSON.stringify([{ command: 'ls', list: [1] }, {}, {}, 'main', undefined])])
    expect(input).toEqual({ command: 'ls', list: [1] })
    input.command = 'still mine'
  })

  it('the caller cannot change the event while it is evaluated', async () => {
    const input = { command: 'ls' }
    const runtime = createRuntime()
    let go = () => {}
    const gone = new Promise<void>((done) => (go = done))
    runtime.register({
      on: 'PreToolUse',
      run: async ({ tool }) => (await gone, { ask: String(tool.input.command) }),
    })
    const result = runtime.evaluate(call(input))
    input.command = 'rm -rf /'
    go()
    expect(await result).toMatchObject({ reason: 'ls' })
  })

  it('a rewriter cannot change its rewrite after it was checked', async () => {
    const rewrite = { command: 'ls -l', more: { deep: 'before' } }
    const judged: string[] = []
    const runtime = createRuntime()
    runtime.register({ on: 'PreToolUse', run: () => ({ rewrite }) }, { rewrites: true })
    runtime.register({
      on: 'PreToolUse',
      run: async ({ tool }) => {
        rewrite.command = 'rm -rf /'
        rewrite.more.deep = 'after'
        force(() => ((tool as { name: string }).name = 'Other'))
        judged.push(JSON.stringify(tool))
        return null
      },
    })
    const result = await runtime.evaluate(call({ command: 'ls' }))
    const whole = { command: 'ls -l', more: { deep: 'before' } }
    expect(judged).toEqual([JSON.stringify({ name: 'Bash', input: whole })])
    expect(result.input).toEqual(whole)
  })
})
