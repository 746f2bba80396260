import { expect, it } from 'vitest'
import { NO_OPINION } from '../core/engine/combine.ts'
import type { Event } from '../core/event.ts'
import { buildPlan } from '../handlers/plan.ts'
import { emptyEngine } from './create-engine.ts'
import { presentDecision } from './presentation.ts'

const event: Event = {
  kind: 'SessionStart',
  host: 'claude-code',
  name: 'SessionStart',
  session: 's2',
  cwd: '/srv/project',
  raw: {},
  source: 'startup',
}
const loaded = { plan: buildPlan([], new Map()), engine: emptyEngine(), maskers: [], broken: [] }
const hole = {
  at: '2026-11-16T10:00:00.000Z',
  host: 'codex',
  session: 's1',
  ran: 9,
  missed: 2,
  ranAlthoughDenied: 0,
}
const noticesFor = (holes: readonly (typeof hole)[]) =>
  presentDecision(NO_OPINION, loaded, event, new Date(0), { holes }).notices

it('the user is notified of the last session in which a call ran without a hook', () => {
  expect(noticesFor([])).toEqual([])
  expect(noticesFor([hole])).toEqual([
    'In session s1, which ended at 2026-11-16 10:00, Holdpoint was not asked about 2 of 9 calls. Run `holdpoint audit` to see them.',
  ])
  const [notice] = noticesFor([hole, { ...hole, session: 's3', ranAlthoughDenied: 1 }])
  expect(notice).toContain('session s3')
  expect(notice).toContain('1 ran although they were denied')
  expect(notice).toContain('1 earlier sessions')
})
