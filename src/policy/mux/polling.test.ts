import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../core/actor.ts'
import type { Answer } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { bash, eventOf, frozenFacts } from '../../library/testing/events.ts'
import { judgePolling } from './polling.ts'

const SIGNALS = '/srv/project/tmp/mux/x/.signals'
const GATE = 'holdpoint mux verify tmp/mux/x --action gate --expected 2'

interface Look {
  readonly command?: string
  readonly event?: Event
  readonly files?: Readonly<Record<string, string>>
  readonly ended?: readonly string[]
  readonly at?: string
  readonly options?: JsonObject
}

/** Judges one look after the other, and keeps what each remembers. */
async function looks(...all: readonly Look[]): Promise<readonly (Answer | null)[]> {
  let memory: Record<string, Json> = {}
  const answers: (Answer | null)[] = []
  for (const { command = GATE, event, files = {}, ended = [], at = '12:00:00', options = {} } of all) {
    const facts = frozenFacts({ files, now: () => new Date(`2026-01-15T${at}Z`) })
    const agents: readonly KnownAgent[] = ['main', 'a1', 'a2'].map((id) => {
      return { id, ended: ended.includes(id), memory: {} }
    })
    const input = { event: event ?? bash(command), facts, options, memory, agents }
    const answer = await judgePolling('k', input)
    answers.push(answer)
    memory = answer?.effect === 'deny' ? memory : remembered(memory, answer)
  }
  return answers
}

function remembered(memory: Record<string, Json>, answer: Answer | null): Record<string, Json> {
  const next = { ...memory }
  for (const patch of answer?.remember ?? []) {
    const old = next[patch.key]
    if (patch.op === 'push') next[patch.key] = [...(Array.isArray(old) ? old : []), patch.value]
    if (patch.op === 'count') next[patch.key] = (typeof old === 'number' ? old : 0) + patch.by
  }
  return next
}

async function effects(...all: readonly Look[]): Promise<readonly string[]> {
  return (await looks(...all)).map((answer) => answer?.effect ?? 'null')
}

const done = (name: string, text = 'status: success\n') => ({ [`${SIGNALS}/${name}.done`]: text })
const failed = { [`${SIGNALS}/a.fail`]: 'status: fail\n' }

describe('K-27: the same look is fine after news', () => {
  it('RECOVER, a resend and its signal: the same gate may run again, and then not a third time', async () => {
    const files = { ...done('a'), ...failed }
    expect(await effects({ files: failed }, { files: failed }, { files }, { files })).toEqual([
      'pass',
      'deny',
      'pass',
      'deny',
    ])
  })

  it('two agents that end one after the other', async () => {
    expect(await effects({}, { ended: ['a1'] }, { ended: ['a1'] }, { ended: ['a1', 'a2'] })).toEqual([
      'pass',
      'pass',
      'deny',
      'pass',
    ])
  })

  it.each([
    ['Notification', { message: 'done', notification: 'agent_completed' }],
    ['UserPromptSubmit', { prompt: 'Look again' }],
  ] as const)('%s', async (kind, fields) => {
    expect(await effects({}, { event: eventOf(kind, fields) }, {}, {})).toEqual([
      'pass',
      'pass',
      'pass',
      'deny',
    ])
  })

  it('a refusal says since when nothing has changed', async () => {
    const [, , third] = await looks({ at: '09:00:00' }, { at: '09:05:00' }, { at: '09:30:00' })
    expect(third?.reason).toContain('nothing has changed since 2026-01-15T09:00:00Z: no new signal')
  })

  it('a signal that was half written and then whole is news twice', async () => {
    const half = done('a', 'path: x')
    const whole = done('a', 'path: x\nsize: 1\nstatus: success\n')
    expect(await effects({}, { files: half }, { files: half }, { files: whole })).toEqual([
      'pass',
      'pass',
      'deny',
      'pass',
    ])
  })

  it('a folder that the orchestrator creates is not news, whatever its name is', async () => {
    const files = { [`${SIGNALS}/a.done/x`]: '', [`${SIGNALS}/note.txt`]: 'x' }
    expect(await effects({}, { files })).toEqual(['pass', 'deny'])
  })

  it('signals of another orchestration in the project are not news', async () => {
    const other = { '/srv/project/tmp/mux/y/.signals/a.done': 'status: success\n' }
    expect(await effects({}, { files: other })).toEqual(['pass', 'deny'])
  })

  it('without a folder in the command, only the active orchestration of this session counts', async () => {
    const command = 'holdpoint mux verify --action gate'
    const marker = { '/srv/project/outputs/session/session-1/mux-active': 'tmp/mux/x\n' }
    const other = { ...marker, '/srv/project/tmp/mux/y/.signals/a.done': 'status: success\n' }
    const own = { ...marker, ...done('a') }
    expect(
      await effects({ command, files: marker }, { command, files: other }, { command, files: own }),
    ).toEqual(['pass', 'deny', 'pass'])
  })

  it('without a marker, the signals of all sessions count', async () => {
    const command = 'holdpoint mux verify --action gate'
    expect(await effects({ command }, { command, files: done('a') })).toEqual(['pass', 'pass'])
  })

  it('a clock that jumps back or forth makes no difference', async () => {
    expect(await effects({ at: '12:00:00' }, { at: '08:00:00' }, { at: '23:00:00' })).toEqual([
      'pass',
      'deny',
      'deny',
    ])
    expect(await effects({ at: '12:00:00' }, { at: '08:00:00', files: done('a') })).toEqual(['pass', 'pass'])
  })
})
