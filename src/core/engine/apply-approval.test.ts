import { describe, expect, it, test } from 'vitest'
import { bash, frozenFacts } from '../../library/testing/events.ts'
import { type CallableHook, engineOf } from '../../library/testing/hooks.ts'
import { createMemoryState } from '../../storage/state/memory-state.ts'
import type { Approval, AskedQuestion } from '../approval.ts'
import { good } from '../errors.ts'
import { type Abilities, ALL_ABILITIES } from '../host.ts'
import { applyApproval } from './apply-approval.ts'
import { NO_OPINION } from './combine.ts'
import { decide } from './decide.ts'
import type { DecideContext } from './decide-context.ts'

const CANNOT_ASK: Abilities = { ...ALL_ABILITIES, ask: false }
const BY = { user: 'dev (1000)', terminal: '/dev/pts/1', how: 'browser' }
const ASKING: CallableHook = {
  run: () => ({ effect: 'ask', reason: 'Amber tape.', ifDenied: 'To allow this, run `holdpoint allow 1`.' }),
}

let ids = 0
async function contextWith(
  hooks: readonly CallableHook[],
  approval: Approval | undefined,
  more: Partial<DecideContext> = {},
): Promise<{ readonly context: DecideContext; readonly asked: AskedQuestion[] }> {
  const { engine } = await engineOf(hooks)
  const asked: AskedQuestion[] = []
  const context: DecideContext = {
    engine,
    state: createMemoryState(),
    facts: frozenFacts(),
    can: CANNOT_ASK,
    deliversTwice: true,
    stopBlocksMax: 3,
    skills: [],
    now: () => performance.now(),
    newId: () => `id-${(ids += 1)}`,
    hash: (text) => text,
    applyFiles: () => good(undefined),
    ...(approval === undefined
      ? {}
      : {
          askPerson: async (question) => {
            asked.push(question)
            return approval
          },
        }),
    ...more,
  }
  return { context, asked }
}

const approved: Approval = { kind: 'approved', scope: 'once', by: BY, waitedMs: 900 }

test.each<[string, Approval, object]>([
  [
    'an approval allows the call',
    approved,
    { effect: 'allow', because: ['holdpoint/approval'], reasons: [] },
  ],
  [
    'a denial tells the agent why',
    { kind: 'denied', reason: 'Use the staging cluster.', by: BY, waitedMs: 900 },
    {
      effect: 'deny',
      reasons: [
        { text: 'The user was asked and denied this call: Use the staging cluster.' },
        { text: expect.stringContaining('Amber tape.') },
      ],
    },
  ],
  [
    'a denial without words',
    { kind: 'denied', reason: ' ', by: BY, waitedMs: 900 },
    { effect: 'deny', reasons: [{ text: expect.stringContaining('denied this call. Do not') }, {}] },
  ],
  [
    'no answer in time is a denial that says so',
    { kind: 'late', waitedMs: 20_000 },
    {
      effect: 'deny',
      reasons: [{}, { text: expect.stringContaining('did not answer within 20 seconds') }],
      notices: ['To allow this, run `holdpoint allow 1`.'],
    },
  ],
  [
    'a board that was closed is a denial that says so',
    { kind: 'closed', waitedMs: 100 },
    { effect: 'deny', reasons: [{}, { text: expect.stringContaining('was closed') }] },
  ],
  [
    'nobody to ask: as without a board',
    { kind: 'nobody' },
    { effect: 'deny', downgraded: ['ask to deny: this agent cannot ask at this event'] },
  ],
])('%s', async (_name, approval, expected) => {
  const { context } = await contextWith([ASKING], approval)
  const { decision } = await decide(bash('make deploy'), context)
  expect(decision).toMatchObject(expected)
})

describe('a person is asked', () => {
  const CASES: readonly [string, Partial<DecideContext>, string | undefined, number][] = [
    ['if the agent cannot ask', {}, 'default', 1],
    ['in a mode without questions', { can: ALL_ABILITIES }, 'bypassPermissions', 1],
    ['in a session without a user', { can: ALL_ABILITIES, headless: 'headless' }, 'default', 1],
    ['not if the user sits at the agent', { can: ALL_ABILITIES }, 'default', 0],
    ['not if the event cannot be stopped', { can: { ...CANNOT_ASK, deny: false } }, 'default', 0],
  ]
  it.each(CASES)('%s', async (_name, more, permissionMode, count) => {
    const { context, asked } = await contextWith([ASKING], approved, more)
    await decide(bash('make deploy', { permissionMode }), context)
    expect(asked).toHaveLength(count)
  })

  it('not about a call that is denied anyway, or that passes', async () => {
    for (const effect of ['deny', 'pass'] as const) {
      const { context, asked } = await contextWith(
        [ASKING, { run: () => ({ effect, reason: 'no' }) }],
        approved,
      )
      const { decision } = await decide(bash('ls'), context)
      expect(decision.effect).toBe(effect === 'deny' ? 'deny' : 'allow')
      expect(asked).toHaveLength(effect === 'deny' ? 0 : 1)
    }
  })

  it('only once, if another event changed the state meanwhile and the call is decided again', async () => {
    const counting: CallableHook = {
      run: () => ({ effect: 'ask', reason: 'Amber tape.', remember: [{ op: 'count', key: 'calls', by: 1 }] }),
    }
    const { context, asked } = await contextWith([counting], approved)
    const other = { ...context, askPerson: async () => approved }
    let isFirst = true
    const slow: DecideContext = {
      ...context,
      async askPerson(question) {
        asked.push(question)
        if (isFirst) {
          isFirst = false
          await decide(
            bash('other', { tool: { name: 'Bash', input: { command: 'other' }, useId: '2' } }),
            other,
          )
        }
        return approved
      },
    }
    const { decision } = await decide(bash('make deploy'), slow)
    expect(decision.effect).toBe('allow')
    expect(asked).toHaveLength(1)
  })

  it('for longer than hooks may take: the time of the person is not theirs', async () => {
    let nowMs = 0
    const given: number[] = []
    const counting: CallableHook = {
      run: async (_event, call) => {
        given.push(call.timeoutMs)
        await new Promise((resolve) => setImmediate(resolve))
        return {
          effect: call.memory?.calls === undefined ? 'ask' : 'deny',
          reason: 'Amber tape.',
          remember: [{ op: 'count', key: 'calls', by: 1 }],
        }
      },
    }
    const { context } = await contextWith([counting], undefined, { now: () => nowMs, budgetMs: 1_000 })
    const slow: DecideContext = {
      ...context,
      async askPerson() {
        nowMs += 60_000
        await decide(bash('other', { tool: { name: 'Bash', input: { command: 'other' }, useId: '2' } }), {
          ...context,
          askPerson: async () => approved,
        })
        return approved
      },
    }
    const { decision } = await decide(bash('make deploy'), slow)
    // Decided again after the other call, within the time that is left: the hook answers, it does not time out.
    expect(decision).toMatchObject({ effect: 'deny', failed: [] })
    expect(given.length).toBe(3)
    expect(Math.min(...given)).toBe(1_000)
  })
})

test('an approval for once does not count for the same call again', async () => {
  const { context, asked } = await contextWith([ASKING], approved)
  const event = bash('make deploy', { tool: { name: 'Bash', input: { command: 'make deploy' }, useId: '7' } })
  await decide(event, context)
  await decide(event, context)
  expect(asked).toHaveLength(2)
})

test('without a way to ask, nothing changes', async () => {
  const { context } = await contextWith([ASKING], undefined)
  const { decision } = await decide(bash('make deploy'), context)
  expect(decision).toMatchObject({
    effect: 'deny',
    downgraded: ['ask to deny: this agent cannot ask at this event'],
  })
  expect(decision.approval).toBeUndefined()
})

describe('what a decision becomes with the answer of a person', () => {
  const reasons = [
    { hook: 'a', text: 'A.', ifDenied: 'Allow A.' },
    { hook: 'b', text: 'B.' },
  ]
  const question = { ...NO_OPINION, effect: 'ask', because: ['a'], reasons, notices: ['n'] } as const
  const before = { ...question, downgraded: ['output: lost'] }

  test.each<[Approval, string]>([
    [{ kind: 'denied', reason: '', by: BY, waitedMs: 1 }, 'a person denied it'],
    [{ kind: 'late', waitedMs: 1 }, 'nobody answered in time'],
    [{ kind: 'closed', waitedMs: 1 }, 'the board was closed'],
  ])('no approval is a denial that keeps what was said: %j', (approval, why) => {
    expect(applyApproval(before, approval)).toMatchObject({
      effect: 'deny',
      because: ['a', 'holdpoint/approval'],
      notices: ['n', 'Allow A.'],
      downgraded: ['output: lost', `ask to deny: ${why}`],
      approval,
    })
    expect(applyApproval(question, approval).downgraded).toEqual([`ask to deny: ${why}`])
  })

  it('an approval allows it, and says that a person did', () => {
    const allowed = applyApproval(before, approved)
    expect(allowed).toMatchObject({ effect: 'allow', reasons: [], approval: approved })
    expect(allowed.downgraded).toEqual(['output: lost', 'ask to allow: a person approved it'])
    expect(applyApproval(question, approved).downgraded).toEqual(['ask to allow: a person approved it'])
    expect(applyApproval(question, { kind: 'nobody' })).toBe(question)
  })

  test.each([
    [1_400, '1 second,'],
    [1_500, '2 seconds,'],
    [400, '0 seconds,'],
  ])('%d ms are said as %s', (waitedMs, said) => {
    const { reasons: given } = applyApproval(question, { kind: 'late', waitedMs })
    expect(given.at(-1)?.text).toContain(`within ${said}`)
  })
})
