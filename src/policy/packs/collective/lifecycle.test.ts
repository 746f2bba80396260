import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../../core/actor.ts'
import type { Answer } from '../../../core/decision.ts'
import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import type { Json, JsonObject } from '../../../core/json.ts'
import { actorOf, eventOf, frozenFacts, toolCall } from '../../../library/testing/events.ts'
import { REGISTRY } from './agents.ts'
import { blockSensitiveFiles } from './block-sensitive-files.ts'
import { loadBehavioralSystem } from './load-behavioral-system.ts'
import { preCompactState } from './pre-compact-state.ts'
import { semanticDocs } from './semantic-docs.ts'
import { subagentContext } from './subagent-context.ts'

interface Around {
  readonly memory?: JsonObject | undefined
  readonly options?: JsonObject
  readonly files?: Readonly<Record<string, string>>
  readonly agents?: readonly KnownAgent[]
  readonly facts?: Partial<Facts>
}

async function ask(guard: Guard, event: Event, around: Around = {}) {
  const { options = {}, files = {}, agents } = around
  const memory = 'memory' in around ? around.memory : {}
  const placed = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`/srv/project/${path}`, text]),
  )
  const facts = frozenFacts({ files: placed, ...around.facts })
  const input = { event, actor: actorOf(event), facts, options, memory }
  return (await guard.check(agents === undefined ? input : { ...input, agents })) as Answer | null
}
const said = (answer: Answer | null) => (answer?.context ?? []).map(({ text }) => text).join('\n')
const logOf = (answer: Answer | null) =>
  (answer?.notes ?? []).flatMap((note) => (note.kind === 'log' ? [`${note.path} ${note.text}`] : []))

const INDEX = '.claude-collective/INDEX.md'
const DECISION = '.claude-collective/DECISION.md'
const RECOVERY = '.claude/compact-recovery.json'
const STATE = {
  saved_at: '2026-01-15T11:00:00.000Z',
  active_agent: 'module-development-agent',
  current_task: { description: 'Build the shop', source: 'todo' },
  handoff_state: { from: 'a', to: 'unit-testing-agent', at: '2026-01-15T10:00:00.000Z' },
  version: '2.1',
}

describe('at the start of a session', () => {
  const start = (around: Around, source = 'startup') =>
    ask(loadBehavioralSystem, eventOf('SessionStart', { source }), around)
  const files = { [INDEX]: '# Index\nThe rules.', [DECISION]: '# Decision\nThe choice.' }

  it.each(['startup', 'resume', 'clear', 'compact', ''])(
    'source %j: the agent receives both documents (R-002-02, R-002-36)',
    async (source) => {
      const answer = await start({ files }, source)
      expect(said(answer)).toContain('The rules.')
      expect(said(answer).indexOf('The rules.')).toBeLessThan(said(answer).indexOf('The choice.'))
      expect(answer?.notices).toBeUndefined()
    },
  )

  it('the agent is told which document is missing and receives the other one', async () => {
    const answer = await start({ files: { [INDEX]: 'The rules.' } })
    expect(said(answer)).toContain('The rules.')
    expect(answer?.notices).toEqual([expect.stringContaining(`Not loaded: ${DECISION}.`)])
    expect(await start({})).toMatchObject({ notices: [expect.stringContaining(`${INDEX} and ${DECISION}`)] })
  })

  it('every document gets its share of the space, also next to a very long one', async () => {
    const text = said(await start({ files: { [INDEX]: 'x'.repeat(200_000), [DECISION]: 'The choice.' } }))
    expect(text.length).toBeLessThanOrEqual(9_000)
    expect(text).toContain('The choice.')
    expect(text).toContain('(shortened because it is too long')
  })

  it.each([
    ['binary', { files: { [INDEX]: 'a\0b', [DECISION]: 'The choice.' } }],
    [
      'elsewhere',
      { files, facts: { realpath: (path: string) => (path.endsWith('INDEX.md') ? '/etc/x' : path) } },
    ],
  ])('a document is not loaded if it is %s', async (_name, around) => {
    const answer = await start(around)
    expect(said(answer)).toContain('The choice.')
    expect(answer?.notices?.[0]).toContain(INDEX)
  })

  it('the agent receives both documents and the saved state; the state file is deleted and a copy kept (R-002-08, R-002-86, R-002-87, R-002-88)', async () => {
    const answer = await start({ files: { ...files, [RECOVERY]: JSON.stringify(STATE) } }, 'compact')
    const text = said(answer)
    expect(text).toContain('The rules.')
    expect(text).toContain('The choice.')
    expect(text).toContain('Active agent: module-development-agent')
    expect(text).toContain('Current task: Build the shop')
    expect(text).toContain('a hands over to unit-testing-agent')
    expect(answer?.notes).toContainEqual({ kind: 'delete', path: RECOVERY })
    expect(answer?.remember).toMatchObject([{ key: 'collective/recovered', value: { state: STATE } }])
  })

  it('a state saved by the old scripts is read too, although all its values are strings', async () => {
    const old = { saved_at: 'today', active_agent: 'x-agent', current_task: 'Build', handoff_state: 'none' }
    expect(said(await start({ files: { [RECOVERY]: JSON.stringify(old) } }))).toContain('Handoff state: none')
  })

  it.each([
    ['not JSON', '{"saved_at"'],
    ['a list', '[]'],
    ['empty', ''],
  ])('a recovery file that is %s does not stop the rest from loading', async (_name, text) => {
    const answer = await start({ files: { ...files, [RECOVERY]: text } })
    expect(said(answer)).toContain('The rules.')
    expect(answer?.notices?.[0]).toContain('nothing was recovered')
    expect(answer?.notes).not.toContainEqual({ kind: 'delete', path: RECOVERY })
  })

  it('a recovery file is not followed out of the project', async () => {
    const facts = { realpath: (path: string) => (path.endsWith('.json') ? '/etc/passwd' : path) }
    const answer = await start({ files: { ...files, [RECOVERY]: JSON.stringify(STATE) }, facts })
    expect(said(answer)).not.toContain('Active agent')
  })
})

describe('before a compaction', () => {
  const compact = (around: Around = {}) =>
    ask(preCompactState, eventOf('PreCompact', { trigger: 'auto' }), around)
  const savedIn = (answer: Answer | null) =>
    answer?.notes?.flatMap((note) =>
      note.kind === 'replace' && note.path === RECOVERY ? [note.json] : [],
    )[0]

  it('agent, task, handoff and time are saved (R-002-05, R-002-14, R-002-84, R-002-85)', async () => {
    const judged = {
      atMs: Date.parse('2026-01-15T10:00:00Z'),
      from: 'a',
      to: 'unit-testing-agent',
      tell: 't',
    }
    const agents = [
      { id: 'main', ended: false, memory: {} },
      { id: 'a1', type: 'research-agent', ended: true, memory: { 'collective/judged': judged } },
      { id: 'a2', type: 'module-development-agent', ended: false, memory: {} },
    ]
    const memory = { 'collective/task': { description: 'Build the shop', source: 'todo' } }
    expect(savedIn(await compact({ agents, memory }))).toEqual({
      ...STATE,
      saved_at: '2026-01-15T12:00:00.000Z',
    })
  })

  it('a state is saved even if nothing is known', async () => {
    expect(savedIn(await compact({ memory: undefined }))).toEqual({
      saved_at: '2026-01-15T12:00:00.000Z',
      active_agent: null,
      current_task: null,
      handoff_state: null,
      version: '2.1',
    })
  })

  it.each<[string, Event, string | undefined]>([
    ['a prompt', eventOf('UserPromptSubmit', { prompt: 'Build it.' }), 'Build it.'],
    ['a slash command', eventOf('UserPromptSubmit', { prompt: '/compact' }), undefined],
    [
      'a todo',
      done('TodoWrite', {
        todos: [
          { content: 'A', status: 'completed' },
          { content: 'B', status: 'in_progress' },
        ],
      }),
      'B',
    ],
    ['a task', done('TaskUpdate', { taskId: '3', status: 'in_progress', subject: 'C' }), 'C'],
    ['a broken todo', done('TodoWrite', { todos: 'none' }), undefined],
    ['any other call', done('Bash', { command: 'ls' }), undefined],
  ])('the task is taken from %s', async (_name, event, description) => {
    const answer = await ask(preCompactState, event)
    if (description === undefined) expect(answer).toBeNull()
    else expect(answer?.remember).toMatchObject([{ key: 'collective/task', value: { description } }])
  })
})

function done(name: string, input: JsonObject, output: Json = null) {
  return eventOf('PostToolUse', { tool: { name, input, useId: 'call-1' }, output })
}

describe('at the start of a sub-agent', () => {
  const start = (agentType: string, around: Around = {}) =>
    ask(subagentContext, eventOf('SubagentStart', { agentId: 'a1', agentType }), around)

  it.each(REGISTRY)('the name %s is known (R-002-89, R-002-94)', async (name) => {
    expect((await start(name))?.notices).toBeUndefined()
  })

  it('an unknown name causes a warning and a log line, and the agent still receives its context (R-002-90, R-002-95)', async () => {
    const answer = await start('stranger')
    expect(answer?.notices).toEqual(['Unknown agent name: "stranger". The agent starts anyway.'])
    expect(logOf(answer)[0]).toBe(
      'subagent-context-inject [2026-01-15 12:00:00] Unknown agent name: "stranger". The agent starts anyway.',
    )
    expect(said(answer)).toContain('.claude/agent-memory/stranger')
    expect((await start('stranger', { options: { agents: ['stranger'] } }))?.notices).toBeUndefined()
    expect((await start('mock-agent'))?.notices).toBeUndefined()
  })

  it('the name is checked, and the agent receives the recovered state and its memory path (R-002-15)', async () => {
    const atMs = Date.parse('2026-01-15T11:00:00Z')
    const agents = [{ id: 'main', ended: false, memory: { 'collective/recovered': { atMs, state: STATE } } }]
    for (const [name, notices] of [
      ['research-agent', undefined],
      ['stranger', [expect.stringContaining('Unknown agent name: "stranger"')]],
    ] as const) {
      const answer = await start(name, { agents })
      expect(answer?.effect).toBe('pass')
      expect(answer?.notices).toEqual(notices)
      expect(said(answer)).toContain('Current task: Build the shop')
      expect(said(answer)).toContain(`Your memory path is .claude/agent-memory/${name}.`)
    }
  })

  it('the agent receives the path of its memory (R-002-92)', async () => {
    expect(said(await start('research-agent'))).toBe(
      'Your memory path is .claude/agent-memory/research-agent. It is still empty.',
    )
    const files = { '.claude/agent-memory/research-agent/notes.md': 'x' }
    expect(said(await start('research-agent', { files }))).toContain('Read it before you begin.')
    expect(said(await start('../../../etc'))).toContain('.claude/agent-memory/..-..-..-etc')
    expect(said(await start('a name'))).toBe('')
  })

  it('the agent receives the state that the session recovered, for one day (R-002-91)', async () => {
    const atMs = Date.parse('2026-01-15T11:00:00Z')
    const agents = [{ id: 'main', ended: false, memory: { 'collective/recovered': { atMs, state: STATE } } }]
    expect(said(await start('research-agent', { agents }))).toContain('Current task: Build the shop')
    const later = { now: () => new Date('2026-01-17T12:00:00Z') }
    expect(said(await start('research-agent', { agents, facts: later }))).not.toContain('Current task')
  })

  it('the agent receives the Drupal version (R-002-93)', async () => {
    const wanted = '{"require":{"drupal/core-recommended":"^10.2"}}'
    expect(said(await start('research-agent', { files: { 'composer.json': wanted } }))).toContain(
      'Drupal version: ^10.2 (composer.json).',
    )
    const files = {
      'composer.json': '{"require":{"drupal/core":"^10"}}',
      'composer.lock': '{"packages":[{"name":"x"},{"name":"drupal/core","version":"10.3.6"}]}',
    }
    expect(said(await start('research-agent', { files }))).toContain('Drupal version: 10.3.6')
    for (const text of ['{', '[]', '{"require":[]}', '{"require":{"drupal/core":7}}']) {
      expect(said(await start('research-agent', { files: { 'composer.json': text } }))).not.toContain(
        'Drupal',
      )
    }
  })
})

describe('the documentation reminder (R-002-12)', () => {
  const DONE = done('TodoWrite', { todos: [{ content: 'Build', status: 'completed' }] })
  const edited = { 'collective/docs/edited': ['web/modules/custom/shop'] }

  it('remembers modules that were changed', async () => {
    for (const path of [
      'web/modules/custom/shop/src/A.php',
      '/srv/project/web/modules/custom/shop/shop.info.yml',
    ]) {
      expect((await ask(semanticDocs, done('Edit', { file_path: path })))?.remember).toMatchObject([
        { value: 'web/modules/custom/shop' },
      ])
    }
    for (const path of ['src/a.ts', 'web/modules/custom/README.md', 'web/modules/contrib/x/y.php']) {
      expect(await ask(semanticDocs, done('Edit', { file_path: path }))).toBeNull()
    }
  })

  it.each([
    ['a todo that is done', DONE],
    ['a task that is done', done('TaskUpdate', { taskId: '1', status: 'completed' })],
    ['a developing agent that returns', done('Agent', { subagent_type: 'module-development-agent' })],
  ])('appears after %s, once for each module', async (_name, event) => {
    const answer = await ask(semanticDocs, event, { memory: edited })
    expect(said(answer)).toBe(
      'Reminder: shop changed. Update the semantic documentation (docs/semantic) if it is out of date.',
    )
    const memory = { ...edited, 'collective/docs/reminded': ['web/modules/custom/shop'] }
    expect(await ask(semanticDocs, event, { memory })).toBeNull()
  })

  it('includes changes by other agents of the session', async () => {
    const agents = [{ id: 'a1', ended: true, memory: edited }]
    expect(said(await ask(semanticDocs, DONE, { agents }))).toContain('shop changed')
  })

  it('does not appear after other calls', async () => {
    for (const event of [
      done('Bash', { command: 'ls' }),
      done('TodoWrite', { todos: [{ content: 'x', status: 'pending' }] }),
      done('Agent', { subagent_type: 'research-agent' }),
    ]) {
      expect(await ask(semanticDocs, event, { memory: edited })).toBeNull()
    }
    expect(await ask(semanticDocs, DONE)).toBeNull()
    expect(await ask(semanticDocs, DONE, { memory: undefined })).toBeNull()
  })
})

describe('the list of sensitive files', () => {
  const LIST = '.claude/sensitive-files.json'
  const read = (path: string, list: Json | string) =>
    ask(blockSensitiveFiles, toolCall('Read', { file_path: path }), {
      files: { [LIST]: typeof list === 'string' ? list : JSON.stringify(list) },
    })

  it('protects by groups and by custom patterns, on the linear engine', async () => {
    const list = {
      version: '1.0',
      patterns: {
        database: ['\\.sqlite$', '# comment'],
        keys: { description: 'all', patterns: ['vault/.*'] },
      },
      custom_patterns: ['^internal/'],
      allowlist: ['internal/readme\\.md$'],
    }
    for (const path of ['data/x.sqlite', 'vault/a', 'internal/plan.txt', '/srv/project/internal/x'])
      expect(await read(path, list), path).toMatchObject({ caught: expect.any(String) })
    for (const path of ['comment', 'all', 'internal/readme.md', 'src/a.ts'])
      expect(await read(path, list), path).toBeNull()
  })

  it('cannot give access to credentials without a decision of the user', async () => {
    expect(await read('.env', { allowlist: ['.*'] })).toMatchObject({ unsure: expect.stringContaining(LIST) })
  })

  it('only warns if it says so', async () => {
    expect(await read('dump.sql', { warnings_only: ['\\.sql$'] })).toMatchObject({
      effect: 'pass',
      notices: ['dump.sql may contain sensitive data (.claude/sensitive-files.json).'],
    })
  })

  it.each(['{', '[]', 'null', '{"custom_patterns": ["("]}', '{"custom_patterns": "(a+)+$"}'])(
    'is replaced by the built-in list if it contains %s',
    async (text) => {
      expect(await read('.env', text)).toMatchObject({ caught: 'reads .env' })
      expect((await read('src/a.ts', text))?.effect ?? 'pass').toBe('pass')
    },
  )

  it('does not hang on a slow pattern', async () => {
    const path = `${'a'.repeat(900)}!`
    expect(await read(path, { custom_patterns: ['(a+)+$', '^(?=a)', '(a|a)*b'] })).toBeNull()
  })
})
