import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../core/decision.ts'
import { type Exception, withWaivers } from '../../core/exceptions.ts'
import type { Guard } from '../../core/guard.ts'
import type { JsonObject } from '../../core/json.ts'
import { actorOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { actOf } from './act.ts'
import { create } from './handler.ts'

const NOW_MS = frozenFacts().now().getTime()

/** Matches everything, so that only the exception can allow a call. */
const guardOf = (id: string): Guard => ({
  id,
  title: 'Anything',
  why: 'It is stopped.',
  instead: 'nothing.',
  on: ['PreToolUse'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: [], passes: [] },
  check: () => ({ caught: 'is anything' }),
})

const handler = create({ guard: guardOf, callable: () => undefined, searchPath: (path) => path })

interface Tried {
  readonly guard: string
  readonly tool: string
  readonly input: JsonObject
  readonly cwd: string
  readonly project: string
  readonly session: string
}

const FIRST: Tried = {
  guard: 'p/one',
  tool: 'Bash',
  input: { command: 'git push --force origin main' },
  cwd: '/srv/project',
  project: '/srv/project',
  session: 'session-1',
}

function eventOf({ tool, input, session, cwd }: Tried) {
  return toolCall(tool, input, { session, cwd })
}

async function answer(
  tried: Tried,
  exceptions: readonly Exception[],
  more: { memory?: JsonObject | undefined; nowMs?: number } = {},
): Promise<Answer> {
  const options = withWaivers({}, { exceptions, pausedUntilMs: 0 })
  const run = { type: 'guard', pack: 'p', guard: tried.guard, mode: 'deny', unsure: 'ask', options }
  const runner = await handler.prepare(hookOf({ run }))
  if (typeof runner !== 'function') throw new Error('not prepared')
  const event = eventOf(tried)
  const facts = frozenFacts({
    cwd: tried.cwd,
    project: tried.project,
    now: () => new Date(more.nowMs ?? NOW_MS),
  })
  const memory = 'memory' in more ? more.memory : {}
  const signal = new AbortController().signal
  return (await runner({ event, actor: actorOf(event), facts, memory, timeoutMs: 1_000, signal })) as Answer
}

function exceptionFor(tried: Tried, more: Partial<Exception> = {}): Exception {
  const act = actOf(tried.guard, eventOf(tried), tried)
  if (act === undefined) throw new Error('no act')
  return { code: act.code, act: act.id, guard: tried.guard, ...more }
}

const ALWAYS = [exceptionFor(FIRST)]
const once = { session: 'session-1', agent: 'main' }

describe('an exception', () => {
  it('allows exactly its act, and notifies the user', async () => {
    expect(await answer(FIRST, ALWAYS)).toMatchObject({
      effect: 'pass',
      notices: [expect.stringContaining(ALWAYS[0]?.code ?? '-')],
    })
  })

  it('applies to the command, not to its description', async () => {
    const described = { ...FIRST, input: { description: 'Push', timeout: 5, ...FIRST.input } }
    expect(await answer(described, ALWAYS)).toMatchObject({ effect: 'pass' })
  })

  it('applies to a call whose keys are in another order', async () => {
    const edit = { ...FIRST, tool: 'Edit', input: { file_path: 'a', old_string: 'b' } }
    const turned = { ...edit, input: { old_string: 'b', file_path: 'a' } }
    expect(await answer(turned, [exceptionFor(edit)])).toMatchObject({ effect: 'pass' })
  })

  it('applies to nothing else: any other text, tool, guard, folder or project is blocked', async () => {
    const word = fc.string({ minLength: 1, maxLength: 12 })
    const changed: fc.Arbitrary<Partial<Tried>> = fc.oneof(
      word.map((text) => ({ input: { command: `${FIRST.input.command}${text}` } })),
      word.map((text) => ({ input: { command: `${text}${FIRST.input.command}` } })),
      fc.tuple(fc.nat(28), fc.string({ maxLength: 2 })).map(([at, text]) => {
        const command = String(FIRST.input.command)
        return { input: { command: command.slice(0, at) + text + command.slice(at + 1) } }
      }),
      word.map((text) => ({ input: { ...FIRST.input, [`x${text}`]: true } })),
      fc.constantFrom('Write', 'Edit', 'PowerShell', 'mcp__a__b').map((tool) => ({ tool })),
      word.map((text) => ({ guard: `p/${text}` })),
      word.map((text) => ({ cwd: `/srv/project/${text}` })),
      word.map((text) => ({ project: `/srv/${text}` })),
    )
    await fc.assert(
      fc.asyncProperty(changed, async (change) => {
        const tried = { ...FIRST, ...change }
        fc.pre(JSON.stringify(tried) !== JSON.stringify(FIRST))
        expect(await answer(tried, ALWAYS)).toMatchObject({ effect: 'deny' })
      }),
      { numRuns: 500 },
    )
  })

  it('ends after its time', async () => {
    const until = [exceptionFor(FIRST, { untilMs: NOW_MS + 1 })]
    expect(await answer(FIRST, until)).toMatchObject({ effect: 'pass' })
    expect(await answer(FIRST, until, { nowMs: NOW_MS + 1 })).toMatchObject({ effect: 'deny' })
  })

  it('for one use is remembered and then invalid; a second delivery is not a second use', async () => {
    const exception = exceptionFor(FIRST, { once })
    const first = await answer(FIRST, [exception])
    const [patch] = first.remember ?? []
    if (first.effect !== 'pass' || patch?.op !== 'set') throw new Error('not remembered')
    const memory = { [patch.key]: patch.value }
    expect(await answer(FIRST, [exception], { memory })).toMatchObject({ effect: 'pass' })
    const later = { memory, nowMs: NOW_MS + 2_001 }
    expect(await answer(FIRST, [exception], later)).toMatchObject({ effect: 'deny' })
    const other = { [patch.key]: { call: 'call-2', atMs: NOW_MS } }
    expect(await answer(FIRST, [exception], { memory: other })).toMatchObject({ effect: 'deny' })
  })

  it('for one use counts only in its session, and only if the use can be remembered', async () => {
    const given = [exceptionFor(FIRST, { once })]
    expect(await answer({ ...FIRST, session: 'session-2' }, given)).toMatchObject({ effect: 'deny' })
    expect(await answer(FIRST, given, { memory: undefined })).toMatchObject({ effect: 'deny' })
    const others = [exceptionFor(FIRST, { once: { ...once, agent: 'agent-7' } })]
    expect(await answer(FIRST, others)).toMatchObject({ effect: 'deny' })
  })

  it('cannot be set by a configuration file', () => {
    const own = { holdpoint: { exceptions: ALWAYS, pausedUntilMs: NOW_MS * 2 }, level: 'strict' }
    expect(withWaivers(JSON.parse(JSON.stringify(own)), { exceptions: [], pausedUntilMs: 0 })).toEqual({
      level: 'strict',
    })
  })
})

describe('a code', () => {
  it('is short, can be typed, and differs from act to act', () => {
    const codes = Array.from({ length: 500 }, (_, at) => {
      return actOf('p/one', eventOf({ ...FIRST, input: { command: `rm ${at}` } }), FIRST)?.code ?? ''
    })
    expect(new Set(codes).size).toBe(500)
    expect(codes.every((code) => /^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toBe(true)
  })

  it('is not created for a call that cannot be written as JSON', () => {
    let deep: JsonObject = {}
    for (let depth = 0; depth < 20_000; depth += 1) deep = { deep }
    expect(actOf('p/one', eventOf({ ...FIRST, tool: 'Read', input: deep }), FIRST)).toBeUndefined()
  })
})
