import type { EventExample } from '../../../../core/guard.ts'

/** A project with tests, and an agent with the given last message. */
function ends(text: string, more: Partial<EventExample> = {}, fields: object = {}): EventExample {
  const base = { agentId: 'a1', agentType: 'module-development-agent', stopHookActive: false }
  return {
    kind: 'SubagentStop',
    fields: { ...base, lastMessage: text, ...fields },
    memory: {},
    files: TESTED,
    ...more,
  }
}

function called(text: string, more: Partial<EventExample> = {}): EventExample {
  const tool = { name: 'Agent', input: { subagent_type: 'module-development-agent' }, useId: 'call-1' }
  const output = { status: 'completed', agentId: 'a1', content: [{ type: 'text', text }] }
  return { kind: 'PostToolUse', fields: { tool, output }, memory: {}, files: TESTED, ...more }
}

function turnEnds(text: string, more: Partial<EventExample> = {}): EventExample {
  return { kind: 'Stop', fields: { stopHookActive: false, lastMessage: text }, memory: {}, ...more }
}

const TESTED = { '/srv/project/package.json': '{"scripts":{"test":"node --test","build":"tsc"}}' }
const READY = 'The module is done.\n\nCOLLECTIVE_HANDOFF_READY'
const FAILED = ['npm test', { kind: 'failed', how: 'exited with code 1', said: '2 failed' }] as const
const PASSED = ['npm test', { kind: 'succeeded' }] as const
const BUILT = ['npm run build', { kind: 'succeeded' }] as const
const UNBUILT = ['npm run build', { kind: 'failed', how: 'exited with code 2', said: '' }] as const
const route = { atMs: 1, from: 'a', to: 'research-agent', tell: 'Use the research-agent subagent to look.' }
const child = { id: 'a1', parent: 'main', ended: true, memory: { 'collective/judged': route } }

export const stops: readonly EventExample[] = [
  ends(READY, { ran: [FAILED] }),
  ends(READY, { ran: [PASSED, UNBUILT] }),
  ends(READY, { ran: [['npm test', { kind: 'untrusted' }]] }),
  ends(READY, { ran: [['npm test', { kind: 'late', whose: 'own', afterMs: 9_000, said: '' }]] }),
  ends(READY, { ran: [FAILED], memory: { 'collective/retries': 2 } }),
  ends('**COLLECTIVE_HANDOFF_READY**', { ran: [FAILED] }),
  ends(READY, { files: { '/srv/project/package.json': '{"devDependencies":{"vitest":"3"}}' } }),
  called(READY, { ran: [FAILED] }),
  called('All done. Use the unit-testing-agent subagent to test it.'),
  called('Done.', { agents: [child] }),
  turnEnds('ALL TASKS SUCCESSFULLY COMPLETED'),
  turnEnds('ORCHESTRATION STATUS: phase 2 COMPLETED'),
  turnEnds('Bye.', { agents: [child] }),
]

export const passes: readonly EventExample[] = [
  ends('The module is done.'),
  ends(READY, { ran: [PASSED, BUILT] }),
  ends(READY, { ran: [FAILED], memory: { 'collective/retries': 3 } }),
  ends(READY, { ran: [FAILED] }, { agentType: 'tdd-validation-agent' }),
  ends('I will say COLLECTIVE_HANDOFF_READY when it is done.', { ran: [FAILED] }),
  ends('```\nCOLLECTIVE_HANDOFF_READY\n```', { ran: [FAILED] }),
  ends('> COLLECTIVE_HANDOFF_READY', { ran: [FAILED] }),
  ends('Use the unit-testing-agent subagent to test it.'),
  ends('', { ran: [FAILED] }),
  { kind: 'SubagentStop', fields: { agentId: 'a1', stopHookActive: false, lastMessage: READY } },
  called('Do not use the unit-testing-agent subagent to test it.'),
  called('Done.', { agents: [child], memory: { 'collective/told': ['a1@1'] } }),
  turnEnds('Phase 2 is nearly over.'),
  turnEnds('PHASE 2 HAS BEEN COMPLETED and the deployment has begun.'),
  turnEnds('Bye.', { agents: [child], memory: { 'collective/told': ['a1@1'] } }),
]
