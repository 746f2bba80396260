import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../../core/actor.ts'
import type { CommandOutcome } from '../../../core/command.ts'
import type { Answer } from '../../../core/decision.ts'
import type { Event } from '../../../core/event.ts'
import type { Json, JsonObject } from '../../../core/json.ts'
import { actorOf, eventOf, frozenFacts } from '../../../library/testing/events.ts'
import { testDrivenHandoff } from './test-driven-handoff.ts'

const READY =
  'The module is done, tests and files are there.\nTOKEN_20260115_120000\nCOLLECTIVE_HANDOFF_READY'
const VITEST = '{"devDependencies":{"vitest":"3"},"scripts":{"build":"tsc"}}'
const INSTALLED = { '/srv/project/package.json': VITEST, '/srv/project/node_modules/vitest/x': '' }
const OK: CommandOutcome = { kind: 'succeeded' }
const BROKEN: CommandOutcome = { kind: 'failed', how: 'exited with code 1', said: 'Tests  2 failed' }

interface Around {
  readonly memory?: JsonObject | undefined
  readonly options?: JsonObject
  readonly files?: Readonly<Record<string, string>>
  readonly ran?: readonly (readonly [string, CommandOutcome])[]
  readonly agents?: readonly KnownAgent[]
  readonly env?: Readonly<Record<string, string>>
}

const inputOf = (event: Event, around: Around) => {
  const { options = {}, files = INSTALLED, ran = [], agents, env = { TZ: 'UTC' } } = around
  const memory = 'memory' in around ? around.memory : {}
  const facts = frozenFacts({ files, env })
  const input = { event, actor: actorOf(event), facts, options, memory, ran: new Map(ran) }
  return agents === undefined ? input : { ...input, agents }
}
const ask = async (event: Event, around: Around = {}) =>
  (await testDrivenHandoff.check(inputOf(event, around))) as Answer | null
const needs = (event: Event, around: Around = {}) => testDrivenHandoff.needs?.(inputOf(event, around))

const ends = (lastMessage: string | undefined, more: object = {}) =>
  eventOf('SubagentStop', {
    agentId: 'a1',
    agentType: 'module-development-agent',
    stopHookActive: false,
    ...(lastMessage === undefined ? {} : { lastMessage }),
    ...more,
  })
const called = (output: Json, more: object = {}) =>
  eventOf('PostToolUse', {
    tool: { name: 'Agent', input: { subagent_type: 'module-development-agent' }, useId: 'call-1' },
    output,
    ...more,
  })
const completed = (text: string) => ({
  status: 'completed',
  agentId: 'a1',
  content: [{ type: 'text', text }],
})
const turnEnds = (lastMessage: string, stopHookActive = false) =>
  eventOf('Stop', { lastMessage, stopHookActive })
const textsOf = (answer: Answer | null) =>
  (answer?.notes ?? []).flatMap((note) => (note.kind === 'log' ? [note.text] : []))

describe('the handoff checkpoint', () => {
  it('runs dependencies, tests and build, one after another (R-002-26, R-002-50)', async () => {
    const options = { dependencies: 'npm ci', test: 'npm test', build: 'npm run build' }
    const next = async (...ran: (readonly [string, CommandOutcome])[]) =>
      (await needs(ends(READY), { options, ran }))?.run
    expect(await next()).toBe('npm ci')
    expect(await next(['npm ci', OK])).toBe('npm test')
    expect(await next(['npm ci', OK], ['npm test', OK])).toBe('npm run build')
    expect(await next(['npm ci', OK], ['npm test', OK], ['npm run build', OK])).toBeUndefined()
    expect(await next(['npm ci', OK], ['npm test', BROKEN])).toBeUndefined()
  })

  it('runs nothing without the marker, and passes (R-002-51)', async () => {
    expect(await needs(ends('The module is complete.'))).toBeUndefined()
    expect(await ask(ends('The module is complete.'))).toMatchObject({ effect: 'pass' })
  })

  it.each<[string, Readonly<Record<string, string>>, readonly (string | undefined)[]]>([
    ['vitest', INSTALLED, ['npx vitest run', 'npm run build']],
    ['a script', { 'package.json': '{"scripts":{"test":"node --test"}}' }, ['npm test', undefined]],
    [
      'no script',
      { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      [undefined],
    ],
    ['pnpm', { 'package.json': '{"scripts":{"test":"x"}}', 'pnpm-lock.yaml': '' }, ['pnpm test']],
    ['yarn', { 'package.json': '{"scripts":{"test":"x"}}', 'yarn.lock': '' }, ['yarn test']],
    ['bun', { 'package.json': '{"scripts":{"test":"x"}}', 'bun.lock': '' }, ['bun run test']],
    [
      'the folder of the collective',
      { '.claude-collective/package.json': VITEST },
      ['cd .claude-collective && npx vitest run'],
    ],
    ['composer', { 'composer.json': '{"scripts":{"test":"phpunit"}}' }, ['composer test']],
    ['nothing', {}, [undefined]],
    ['a broken package.json', { 'package.json': '{' }, [undefined]],
  ])('finds the commands of a project with %s', async (_name, files, wanted) => {
    const placed = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path.startsWith('/') ? path : `/srv/project/${path}`,
        text,
      ]),
    )
    const ran: [string, CommandOutcome][] = []
    for (const run of wanted) {
      expect((await needs(ends(READY), { files: placed, ran }))?.run).toBe(run)
      if (run !== undefined) ran.push([run, OK])
    }
  })

  it('runs nothing if dependencies are not installed, and says so', async () => {
    const files = { '/srv/project/package.json': VITEST }
    expect(await needs(ends(READY), { files })).toBeUndefined()
    expect(await ask(ends(READY), { files })).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('node_modules is missing. Run `npm install`'),
    })
  })

  it('skips a stage that is set to false, and says when nothing was tested', async () => {
    const options = { test: false, build: false }
    expect(await needs(ends(READY), { options })).toBeUndefined()
    expect((await ask(ends(READY), { options }))?.notices).toBeUndefined()
    expect(await ask(ends(READY), { files: {} })).toMatchObject({
      effect: 'pass',
      notices: [expect.stringContaining('No tests were run')],
    })
  })

  it('does not apply to the agent that runs the tests itself', async () => {
    expect(await needs(ends(READY, { agentType: 'tdd-validation-agent' }))).toBeUndefined()
  })
})

describe('a handoff that fails its checks', () => {
  const failing = { ran: [['npx vitest run', BROKEN]] as const }

  it('is held, and the agent is told what to fix (R-002-28, R-002-52)', async () => {
    const answer = await ask(ends(READY), failing)
    expect(answer).toMatchObject({
      effect: 'deny',
      rememberDenied: [{ op: 'set', key: 'collective/retries', value: 1 }],
    })
    expect(answer?.reason).toContain('`npx vitest run` must succeed: it exited with code 1.')
    expect(answer?.reason).toContain('Tests  2 failed')
    expect(answer?.reason).toContain('Try 1 of 3')
  })

  it('is also held for a failing build (R-002-53)', async () => {
    const ran = [
      ['npx vitest run', OK],
      ['npm run build', BROKEN],
    ] as const
    expect(await ask(ends(READY), { ran })).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('Build: `npm run build`'),
    })
  })

  it('fails after three tries: the agent may end, the workflow ends, the user is notified (R-002-48)', async () => {
    const answer = await ask(ends(READY), { ...failing, memory: { 'collective/retries': 3 } })
    expect(answer?.effect).toBe('pass')
    expect(answer?.notices?.[0]).toContain('was sent back 3 times and still may not hand over')
    expect(answer?.remember).toContainEqual(
      expect.objectContaining({
        value: expect.objectContaining({ failed: true, tell: answer?.notices?.[0] }),
      }),
    )
    // A runner that asks in the words of the collective gets its word for the end.
    const asked = await ask(ends(READY, { host: 'collective' }), {
      ...failing,
      memory: { 'collective/retries': 3 },
    })
    expect(asked?.halt).toBe(answer?.notices?.[0])
    expect(answer?.remember).toContainEqual({ op: 'set', key: 'collective/retries', value: 0 })
  })

  it('is not held forever if nothing can be remembered', async () => {
    const around = { ...failing, memory: undefined }
    expect(await ask(ends(READY), around)).toMatchObject({ effect: 'deny' })
    const again = await ask(ends(READY, { stopHookActive: true }), around)
    expect(again).toMatchObject({ effect: 'pass', halt: expect.any(String) })
    expect(again?.remember).toBeUndefined()
  })

  it('does not run untrusted commands, and says how to trust them', async () => {
    const ran = [['npx vitest run', { kind: 'untrusted' }]] as const
    expect(await ask(ends(READY), { ran })).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('holdpoint trust'),
    })
  })

  it('names the same agent if only its call is judged', async () => {
    const answer = await ask(called(completed(READY)), failing)
    expect(answer?.reason).toContain(
      'Use the same agent: use the module-development-agent subagent to fix this.',
    )
    expect(answer?.rememberDenied).toEqual([
      { op: 'set', key: 'collective/retries/module-development-agent', value: 1 },
    ])
  })
})

describe('tests and handoff are judged after a call and at the end of an agent', () => {
  const HANDS = `${READY}\n\nUse the unit-testing-agent subagent to test the module.`
  const ROUTE = 'Use the unit-testing-agent subagent to test the module.'
  const passing = [
    ['npx vitest run', OK],
    ['npm run build', OK],
  ] as const

  it.each<[string, (text: string) => Event]>([
    ['PostToolUse', (text) => called(completed(text))],
    ['SubagentStop', (text) => ends(text)],
  ])('%s (R-002-13)', async (_event, saying) => {
    expect(await needs(saying(HANDS))).toMatchObject({ run: 'npx vitest run' })
    const failed = await ask(saying(HANDS), { ran: [['npx vitest run', BROKEN]] })
    expect(failed).toMatchObject({ effect: 'deny', reason: expect.stringContaining('Tests  2 failed') })
    expect(failed?.reason).not.toContain(ROUTE)
    // At the end of an agent its parent is notified later; after a call the parent is notified at once.
    const chained = await ask(saying(HANDS), { ran: passing })
    expect(JSON.stringify(chained)).toContain(ROUTE)
    const last = await ask(saying(READY), { ran: passing })
    expect(last?.effect).toBe('pass')
    expect(JSON.stringify(last)).not.toContain('Use the')
  })
})

describe('a handoff that passes its checks', () => {
  const passing = { ran: [['npx vitest run', OK] as const, ['npm run build', OK] as const] }
  const HANDS = `${READY}\n\nUse the unit-testing-agent subagent to test the module.`
  const TELL =
    'Handoff from module-development-agent. Use the unit-testing-agent subagent to test the module.'

  it('lets the agent end and stores the route for its parent (R-002-27, R-002-30)', async () => {
    expect(await ask(ends(HANDS), passing)).toMatchObject({
      effect: 'pass',
      remember: [
        {
          key: 'collective/judged',
          value: { from: 'module-development-agent', to: 'unit-testing-agent', tell: TELL },
        },
      ],
    })
  })

  it('is sent to the parent after the call, as a block that names the next agent (R-002-22, R-002-46)', async () => {
    const judged = { atMs: 5, from: 'module-development-agent', to: 'unit-testing-agent', tell: TELL }
    const agents = [{ id: 'a1', parent: 'main', ended: true, memory: { 'collective/judged': judged } }]
    expect(await ask(called(completed(HANDS)), { agents })).toMatchObject({
      effect: 'deny',
      reason: TELL,
      rememberDenied: [{ op: 'push', key: 'collective/told', value: 'a1@5' }],
    })
    const memory = { 'collective/told': ['a1@5'] }
    expect(await ask(called(completed(HANDS)), { agents, memory })).toBeNull()
  })

  it('is judged once: nothing runs again after the call (R-002-07, R-002-21)', async () => {
    const judged = { atMs: 5, from: 'module-development-agent' }
    const agents = [{ id: 'a1', parent: 'main', ended: true, memory: { 'collective/judged': judged } }]
    expect(await needs(called(completed(READY)), { agents })).toBeUndefined()
    expect(await needs(called(completed(READY)))).toMatchObject({ run: 'npx vitest run' })
  })

  it('waits for a background agent, and is sent at the next call or at the end', async () => {
    const launched = called({ status: 'async_launched', agentId: 'a1' })
    expect(await ask(launched)).toBeNull()
    const judged = { atMs: 5, from: 'x', to: 'unit-testing-agent', tell: TELL }
    const agents = [{ id: 'a1', ended: true, memory: { 'collective/judged': judged } }]
    const other = eventOf('PostToolUse', { tool: { name: 'Bash', input: { command: 'ls' } }, output: '' })
    expect(await ask(other, { agents })).toMatchObject({
      effect: 'pass',
      context: [{ text: TELL, to: 'self' }],
      remember: [{ value: 'a1@5' }],
    })
    expect(await ask(turnEnds('Bye.'), { agents })).toMatchObject({ effect: 'deny', reason: TELL })
    expect(await ask(turnEnds('Bye.'), { agents, memory: undefined })).toBeNull()
  })

  it('reaches the agent that started it, even if that is a sub-agent', async () => {
    const judged = { atMs: 5, from: 'x', to: 'y', tell: TELL }
    const agents = [{ id: 'a2', parent: 'a1', ended: true, memory: { 'collective/judged': judged } }]
    expect(await ask(turnEnds('Bye.'), { agents })).toBeNull()
    expect(await needs(ends(READY), { agents })).toBeUndefined()
    expect(await ask(ends(READY), { agents })).toMatchObject({ effect: 'deny', reason: TELL })
  })

  it('blocks at once if no later event could deliver it', async () => {
    expect(await ask(ends('Use the b-2 subagent to go on.'), { memory: undefined })).toMatchObject({
      effect: 'deny',
      reason: 'Handoff from module-development-agent. Use the b-2 subagent to go on.',
    })
    const again = ends('Use the b-2 subagent to go on.', { stopHookActive: true })
    expect(await ask(again, { memory: undefined })).toMatchObject({ effect: 'pass' })
  })

  it('blocks at once for an agent without an id, because such an agent has no memory', async () => {
    const event = ends('Use the b-2 subagent to go on.', { agentId: undefined })
    expect(await ask(event)).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('Use the b-2 subagent'),
    })
    const failing = await ask(ends(READY, { agentId: undefined }), { ran: [['npx vitest run', BROKEN]] })
    expect(failing?.rememberDenied).toMatchObject([{ key: 'collective/retries/module-development-agent' }])
    expect((await ask(ends('Done.', { agentId: undefined })))?.remember).toBeUndefined()
  })

  it('allows completion without a handoff phrase (R-002-23, R-002-31)', async () => {
    expect(await ask(ends(READY), passing)).toMatchObject({ effect: 'pass' })
    expect(await ask(called(completed('Done.')), passing)).toMatchObject({ effect: 'pass' })
  })

  it('warns about an unknown agent name, and still routes to it', async () => {
    const answer = await ask(ends('Use the who-agent subagent to go on.'))
    expect(answer?.notices).toContain('Unknown agent name: who-agent. The handoff is routed to it anyway.')
    const known = await ask(ends('Use the who-agent subagent to go on.'), {
      options: { agents: ['who-agent'] },
    })
    expect(known?.notices?.join()).not.toContain('Unknown agent name')
  })

  it('K-33: the parent of an agent that failed says why before the workflow ends', async () => {
    const judged = { atMs: 5, from: 'x', tell: 'It failed.', failed: true }
    const agents = [{ id: 'a1', parent: 'main', ended: true, memory: { 'collective/judged': judged } }]
    for (const event of [called(completed('')), turnEnds('Bye.')]) {
      const answer = await ask(event, { agents })
      expect(answer).toMatchObject({ effect: 'deny', notices: ['It failed.'] })
      expect(answer?.halt).toBeUndefined()
      expect(answer?.reason).toContain('It failed.\nThe workflow has failed. Tell the user why')
    }
    // Whoever goes on working after that is stopped, until the next prompt.
    const memory = { 'collective/failed': { why: 'It failed.', prompt: 'p1' } }
    const works = (promptId: string) =>
      eventOf('PostToolUse', { tool: { name: 'Bash', input: { command: 'ls' } }, output: '', promptId })
    expect(await ask(works('p1'), { memory })).toMatchObject({ effect: 'pass', halt: 'It failed.' })
    expect(await ask(works('p2'), { memory })).toBeNull()
  })
})

describe('token, output and state contract', () => {
  it('are checked in this order, and only warn (R-002-26)', async () => {
    const answer = await ask(ends('x\n\nCOLLECTIVE_HANDOFF_READY'), {
      options: { test: 'true', build: false },
      ran: [['true', OK]],
    })
    expect(answer?.effect).toBe('pass')
    expect(answer?.notices?.map((notice) => notice.split(':')[0])).toEqual([
      'Handoff token',
      'Agent output',
      'State contract',
    ])
  })

  it('are only logged for an agent that hands nothing over', async () => {
    const answer = await ask(ends('x'))
    expect(answer?.notices).toBeUndefined()
    expect(textsOf(answer)[0]).toContain(
      '[2026-01-15 12:00:00] module-development-agent: Handoff token: there is none. Write a line such as',
    )
  })

  it.each([
    ['TASK_1_20260115_120000', []],
    ['HANDOFF_TOKEN: nonsense', ['Handoff token: "nonsense" does not have the form NAME_20260115_120000.']],
  ])('token: %s', async (token, wanted) => {
    const answer = await ask(
      ends(`Done, with tests.\nFiles: a.ts\n${token}\nUse the research-agent subagent to go on.`),
    )
    expect(answer?.notices ?? []).toEqual(wanted)
  })

  it('the token may also come from the environment (R-002-73)', async () => {
    const text = 'Done, with tests.\nFiles: a.ts\nUse the research-agent subagent to go on.'
    const env = { HANDOFF_TOKEN: 'TASK_20260115_120000' }
    expect((await ask(ends(text), { env }))?.notices).toBeUndefined()
  })

  it('a handoff block is read, not evaluated, and missing fields are reported', async () => {
    const block = '```json\n{"phase": "2", "from": "a", "postcondition": "process.exit()"}\n```'
    const text = `Done, tests.\nTASK_20260115_120000\n${block}\nUse the research-agent subagent to go on.`
    expect((await ask(ends(text)))?.notices).toEqual([
      'State contract: the handoff block lacks `to`.',
      'State contract: the handoff block lacks `status`.',
    ])
  })
})

describe('a finished phase (R-002-55)', () => {
  const DONE = 'ALL TASKS SUCCESSFULLY COMPLETED'

  it('of an orchestrator goes to the validating agent', async () => {
    expect(await ask(ends(DONE, { agentType: 'task-orchestrator' }))).toMatchObject({
      effect: 'pass',
      remember: [
        {
          value: {
            to: 'tdd-validation-agent',
            tell: expect.stringContaining('Use the tdd-validation-agent subagent to'),
          },
        },
      ],
    })
    expect((await ask(ends(DONE)))?.remember).toMatchObject([{ value: { from: 'module-development-agent' } }])
  })

  it('of the main agent holds its turn once', async () => {
    expect(await ask(turnEnds(DONE))).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('Use the tdd-validation-agent subagent to'),
    })
    expect(await ask(turnEnds(DONE, true))).toBeNull()
    expect(await ask(turnEnds('Bye.'))).toBeNull()
  })

  it('may end if it was already validated', async () => {
    const memory = { 'collective/judged': { atMs: 9, from: 'tdd-validation-agent' } }
    const agents = [{ id: 'v', type: 'tdd-validation-agent', parent: 'main', ended: true, memory }]
    expect(await ask(turnEnds(DONE), { agents })).toMatchObject({
      effect: 'pass',
      remember: [{ key: 'collective/validated', value: 9 }],
    })
    expect(await ask(turnEnds(DONE), { agents, memory: { 'collective/validated': 9 } })).toMatchObject({
      effect: 'deny',
    })
  })
})

describe('the last message of an agent (R-002-25)', () => {
  const line = (text: string) =>
    JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } })
  const ROUTE = 'Use the research-agent subagent to look.'
  const routeOf = async (event: Event, files = {}) =>
    JSON.stringify(await ask(event, { files, memory: undefined })).includes(
      'Use the research-agent subagent to look.',
    )

  it.each<[string, Json]>([
    ['a string', ROUTE],
    ['a list', [{ type: 'text', text: ROUTE }]],
    ['an object with a list', { content: [{ type: 'text', text: ROUTE }] }],
    ['an object with a string', { status: 'completed', content: ROUTE }],
    ['an object with a result', { result: ROUTE }],
  ])('is taken from %s', async (_name, output) => {
    expect(await routeOf(called(output))).toBe(true)
  })

  it('is taken from its own transcript if there is no other source', async () => {
    const files = {
      '/t/agent.jsonl': `${line(ROUTE)}\n{"type":"user","message":{"content":"assistant"}}\nnot JSON, assistant\n`,
      '/t/main.jsonl': line(ROUTE),
    }
    expect(await routeOf(ends(undefined, { agentTranscriptPath: '/t/agent.jsonl' }), files)).toBe(true)
    expect(await routeOf(ends(undefined, { transcriptPath: '/t/main.jsonl' }), files)).toBe(false)
  })

  it.each<[string, Json]>([
    ['null', null],
    ['a number', 7],
    ['a list of nothing', [null, 3, {}]],
    ['text that is no text', { content: [{ type: 'text', text: 9 }] }],
    ['nothing but blanks', { status: 'completed', content: ' \n ' }],
    ['a megabyte of garbage', '\u0000\uffff`'.repeat(400_000)],
  ])('may be %s: the agent may end', async (_name, output) => {
    expect((await ask(called(output)))?.effect ?? 'pass').toBe('pass')
  })

  it('is not read for a compaction, which ends like an agent without a type', async () => {
    const event = eventOf('SubagentStop', { agentId: 'a1', stopHookActive: false, lastMessage: READY })
    expect(await needs(event)).toBeUndefined()
    expect(await ask(event)).toBeNull()
  })
})
