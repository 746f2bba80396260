import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createResponder, type Responder } from './responder.ts'
import { createMemoryState } from './state/memory-state.ts'
import { homeLayout } from './world/home.ts'

/** Whose rules hold: a host may name the project at one event and not at the next. */

let folder: string
let responder: Responder
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-responder-')))
  for (const name of ['app', 'other']) mkdirSync(join(folder, name, '.git'), { recursive: true })
  const home = homeLayout(join(folder, 'home'), {})
  responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The project in the record of an event that happens in `cwd`, with or without a named one. */
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

it.each(['SessionStart', 'UserPromptSubmit'])('%s names it for the events that name none', async (event) => {
  expect(await projectAt(event, 'other', 'app')).toBe('app')
  expect(await projectAt('PreToolUse', 'other')).toBe('app')
  expect(await projectAt('Stop', 'other')).toBe('app')
})

it('one that is named now goes before one that is remembered, and is remembered with the next prompt', async () => {
  await projectAt('UserPromptSubmit', 'app', 'app')
  expect(await projectAt('PreToolUse', 'app', 'other')).toBe('other')
  expect(await projectAt('PreToolUse', 'other')).toBe('app')
  await projectAt('UserPromptSubmit', 'app', 'other')
  expect(await projectAt('PreToolUse', 'app')).toBe('other')
})

it('what a sub-agent names is not remembered', async () => {
  await projectAt('UserPromptSubmit', 'app', 'app')
  await projectAt('UserPromptSubmit', 'other', 'other', { agent_id: 'a', agent_type: 'x' })
  expect(await projectAt('PreToolUse', 'other')).toBe('app')
})

it('where nobody names one, the folder of the first event counts', async () => {
  expect(await projectAt('SessionStart', 'app')).toBe('app')
  expect(await projectAt('UserPromptSubmit', 'other')).toBe('app')
})
