import { describe, expect, it } from 'vitest'
import { isReady } from '../../../handoff/ready.ts'
import { readCollectiveOptions } from '../options.ts'
import { endsPhase, isOrchestrator } from './signs.ts'

const options = readCollectiveOptions({})

describe('the marker of a completion (R-002-49)', () => {
  it.each([
    'COLLECTIVE_HANDOFF_READY',
    'Done.\n\nCOLLECTIVE_HANDOFF_READY\n',
    '  COLLECTIVE_HANDOFF_READY  ',
    '**COLLECTIVE_HANDOFF_READY**',
    '- COLLECTIVE_HANDOFF_READY',
    'Done.\r\nCOLLECTIVE_HANDOFF_READY\r\nBye.',
  ])('is in %j', (text) => expect(isReady(text)).toBe(true))

  it.each([
    'complete',
    'I say COLLECTIVE_HANDOFF_READY when I am done.',
    'collective_handoff_ready',
    'NOT COLLECTIVE_HANDOFF_READY',
    '`COLLECTIVE_HANDOFF_READY`',
    '```\nCOLLECTIVE_HANDOFF_READY\n```',
    '    COLLECTIVE_HANDOFF_READY',
    '> COLLECTIVE_HANDOFF_READY',
    '"COLLECTIVE_HANDOFF_READY"',
    '',
  ])('is not found in %j', (text) => expect(isReady(text)).toBe(false))
})

describe('the end of a phase (R-002-54)', () => {
  it.each([
    'ORCHESTRATION STATUS: COMPLETED',
    '**ORCHESTRATION STATUS** — phase 2 of 3: COMPLETED',
    'ALL TASKS SUCCESSFULLY COMPLETED',
    'PHASE 2 (themes) HAS BEEN COMPLETED.',
    'It builds. Phase 2 has been completed.',
  ])('is marked by %j', (text) => expect(endsPhase(text, options)).toBe(true))

  it.each([
    'ORCHESTRATION STATUS: NOT COMPLETED',
    'ORCHESTRATION STATUS: in progress',
    'PHASE 2 HAS NOT BEEN COMPLETED',
    'Once ALL TASKS SUCCESSFULLY COMPLETED, tell me.',
    '```\nALL TASKS SUCCESSFULLY COMPLETED\n```',
    '> ALL TASKS SUCCESSFULLY COMPLETED',
    'PHASE 2 HAS BEEN COMPLETED and deployed.',
    'Tasks are complete.',
    '',
  ])('is not marked by %j (R-002-56)', (text) => expect(endsPhase(text, options)).toBe(false))

  it('counts only from agents whose name contains orchestrator', () => {
    expect(isOrchestrator('task-orchestrator', options)).toBe(true)
    expect(isOrchestrator('Main-Orchestrator-Agent', options)).toBe(true)
    expect(isOrchestrator('research-agent', options)).toBe(false)
    expect(isOrchestrator('lead', readCollectiveOptions({ orchestrators: ['lead'] }))).toBe(true)
  })
})
