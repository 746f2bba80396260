import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { Event } from '../core/event.ts'
import { host as claudeCode } from '../hosts/claude-code/host.ts'
import { host as codex } from '../hosts/codex/host.ts'
import { eventOf, toolCall } from '../library/testing/events.ts'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { projectOf } from './project-of.ts'

let folder: string
let one: string
let two: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-project-of-'))
  ;[one = '', two = ''] = ['one', 'two'].map((name) => {
    const project = join(folder, name)
    mkdirSync(join(project, '.holdpoint'), { recursive: true })
    mkdirSync(join(project, 'src'))
    writeFileSync(join(project, '.holdpoint', 'config.yaml'), 'version: 1\n')
    return project
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A session that began in this project. */
function begunIn(project?: string) {
  const state = createMemoryState()
  const patch = { op: 'set', key: 'holdpoint/project', value: project ?? '' } as const
  const commit = { agent: 'main', changes: [{ kind: 'patch', patch } as const], nonce: 'n', atMs: 1 }
  if (project !== undefined) state.commit('session-1', commit)
  return state
}

const asked = (event: Event, begun?: string, named?: string, host = claudeCode) =>
  projectOf(host, event, { env: { CLAUDE_PROJECT_DIR: named } }, begunIn(begun))
const call = (more: object = {}) => toolCall('Read', {}, { cwd: join(two, 'src'), ...more })
const start = (more: object = {}) =>
  eventOf('SessionStart', { source: 'startup', cwd: join(two, 'src'), ...more })
const prompt = () => eventOf('UserPromptSubmit', { prompt: 'x', cwd: join(two, 'src') })

describe('the project of an event', () => {
  it('is the one that the agent names', () => {
    expect(asked(call(), undefined, join(one, 'src'))).toEqual({ project: one })
    expect(asked(call(), two, join(one, 'src'))).toEqual({ project: one })
  })

  it('is the one that the session began in, wherever the agent is now', () => {
    expect(asked(call(), one)).toEqual({ project: one })
    expect(asked(call({ agentId: 'a1' }), one)).toEqual({ project: one })
    expect(asked(prompt(), one)).toEqual({ project: one })
    // An empty variable names nothing.
    expect(asked(call(), one, '')).toEqual({ project: one })
  })

  it('is the folder of the event in a session that nobody knows, and is stored', () => {
    expect(asked(call())).toEqual({ project: two, pinProject: two })
  })

  it.each<[string, () => Event]>([
    ['without a session', () => call({ session: '' })],
    ['of a sub-agent, which may be anywhere', () => call({ agentId: 'a1' })],
  ])('is not stored for an event %s', (_what, event) => {
    expect(asked(event())).toEqual({ project: two })
  })

  it('is asked for anew when a session starts, because a session can be continued elsewhere', () => {
    expect(asked(start(), one)).toEqual({ project: two, pinProject: two })
    expect(asked(start(), two)).toEqual({ project: two })
    expect(asked(start({ session: '' }))).toEqual({ project: two })
  })

  test.each([start, prompt])(
    'that is named at the beginning of a turn is stored for its other events',
    (event) => {
      expect(asked(event(), one, two)).toEqual({ project: two, pinProject: two })
      expect(asked(event(), undefined, one)).toEqual({ project: one, pinProject: one })
      expect(asked(event(), one, one)).toEqual({ project: one })
    },
  )

  it('is not taken from a variable of another agent', () => {
    expect(asked(call(), undefined, one, codex)).toEqual({ project: two, pinProject: two })
  })

  it('is the folder of the event if the state cannot be read', () => {
    const state = {
      ...begunIn(one),
      read: () => ({ ok: false, problem: { code: 'STATE_UNREADABLE', message: '' } }) as const,
    }
    const broken = state as unknown as ReturnType<typeof begunIn>
    expect(projectOf(claudeCode, call(), { env: {} }, broken)).toEqual({ project: two, pinProject: two })
  })
})
