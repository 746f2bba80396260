import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../core/event.ts'
import { ALL_ABILITIES, NO_ABILITIES } from '../core/host.ts'
import { bash, eventOf } from '../library/testing/events.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { homeLayout } from '../system/home.ts'
import { createResponder, type Responder } from './responder.ts'

/** A host may name the project at one event and not at the next; this decides whose rules apply. */

let folder: string
let responder: Responder
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-responder-')))
  for (const name of ['app', 'other']) mkdirSync(join(folder, name, '.git'), { recursive: true })
  const home = homeLayout(join(folder, 'home'), {})
  responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The project in the record of an event in `cwd`, with or without a named project. */
async function projectAt(event: string, cwd: string, named?: string, more: object = {}): Promise<unknown> {
  const payload = { session_id: 's', cwd: join(folder, cwd), hook_event_name: event, ...EVENT, ...more }
  const response = await responder.respond({
    host: 'claude-code',
    payload: JSON.stringify(payload),
    cwd: '/',
    env: named === undefined ? {} : { CLAUDE_PROJECT_DIR: join(folder, named) },
    skills: [],
  })
  return response.record()?.project?.slice(folder.length + 1)
}
const EVENT = { prompt: 'go', source: 'startup', tool_name: 'Read', tool_input: {}, tool_use_id: 't' }

it.each(['SessionStart', 'UserPromptSubmit'])(
  'the project that %s names is used for events that name none',
  async (event) => {
    expect(await projectAt(event, 'other', 'app')).toBe('app')
    expect(await projectAt('PreToolUse', 'other')).toBe('app')
    expect(await projectAt('Stop', 'other')).toBe('app')
  },
)

it('a project named now wins over a stored one, and is stored with the next prompt', async () => {
  await projectAt('UserPromptSubmit', 'app', 'app')
  expect(await projectAt('PreToolUse', 'app', 'other')).toBe('other')
  expect(await projectAt('PreToolUse', 'other')).toBe('app')
  await projectAt('UserPromptSubmit', 'app', 'other')
  expect(await projectAt('PreToolUse', 'app')).toBe('other')
})

it('a project that a sub-agent names is not stored', async () => {
  await projectAt('UserPromptSubmit', 'app', 'app')
  await projectAt('UserPromptSubmit', 'other', 'other', { agent_id: 'a', agent_type: 'x' })
  expect(await projectAt('PreToolUse', 'other')).toBe('app')
})

it('if no project is named, the folder of the first event is used', async () => {
  expect(await projectAt('SessionStart', 'app')).toBe('app')
  expect(await projectAt('UserPromptSubmit', 'other')).toBe('app')
})

describe('an event without a host', () => {
  const judge = (event: Event = bash('git push --force'), can = ALL_ABILITIES) =>
    responder.decide({ event, can, project: join(folder, 'app'), env: {}, skills: [] })

  it('is decided by the policies of its project, fitted to what its sender supports, and recorded', async () => {
    const { decision, record } = await judge()
    expect(decision).toMatchObject({ effect: 'deny', because: ['safety/git/force-push'] })
    expect(record()).toMatchObject({ effect: 'deny', project: join(folder, 'app'), tool: 'Bash' })
    const weak = await judge(bash('git push --force'), NO_ABILITIES)
    expect(weak.decision).toMatchObject({
      effect: 'pass',
      downgraded: [expect.stringContaining('deny to notice')],
    })
  })

  it('that cannot be evaluated gets its last resort', async () => {
    mkdirSync(join(folder, 'home'), { recursive: true })
    writeFileSync(join(folder, 'home', 'config.yaml'), 'version: [')
    const before = await judge()
    expect(before.decision).toMatchObject({
      effect: 'deny',
      reasons: [{ text: expect.stringContaining('PLAN_MISSING') }],
    })
    expect(before.record()).toMatchObject({ effect: 'deny', because: ['holdpoint/last-resort'] })
    const after = await judge(eventOf('PostToolUse', { tool: { name: 'Bash', input: {} }, output: '' }))
    expect(after.decision.effect).toBe('pass')
  })
})

it('a host without sessions gets the problems of its file at every event', async () => {
  const file = join(folder, 'app', 'team.yaml')
  writeFileSync(file, 'hooks: { PreToolUse: [{ matcher: Write, handler: a.b, timeout: soon }] }')
  const payload = JSON.stringify({ hook_type: 'PreToolUse', tool_name: 'Write', tool_input: {} })
  const home = homeLayout(join(folder, 'home'), {})
  const now = () => performance.now()
  const { respond } = createResponder({ home, state: createMemoryState(), now, config: file })
  const { reply } = await respond({ host: 'massgen', payload, cwd: join(folder, 'app'), env: {}, skills: [] })
  expect(reply).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('team.yaml:1:') })
  expect(JSON.parse(reply.stdout)).toEqual({ allowed: true, decision: 'allow' })
})
