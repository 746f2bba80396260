import { fileIs, notRan, notTold, RAN, ran, recorded, told } from '../checks.ts'
import type { Chapter } from '../scenario.ts'
import { contextAt } from './context.ts'
import { ASK, DENY, LEAVE_A_MARK, OUTPUT, REWRITE } from './tools.ts'

/** The same inside a sub-agent, whose id and type are in the journal. */

const NOTE = 'Mind the gap.'
const inside = (shell: string) => ({
  main: [{ do: [{ delegate: 'helper' }] }],
  helper: [{ do: [{ shell }] }],
})
const helper = { in: 'helper' }
const start = { in: 'helper', step: 0 }

export const subagents: Chapter = {
  title: 'Inside a sub-agent',
  scenarios: [
    {
      name: 'a hook denies',
      policy: { hooks: [DENY] },
      script: inside(LEAVE_A_MARK),
      expected: {
        'claude-code': [
          notRan(),
          told('Red tape', helper),
          recorded(
            { effect: 'deny', because: 'test/deny', by: 'sub-agent', agentType: 'general-purpose' },
            'the journal has its id and its type, `general-purpose`',
          ),
        ],
        codex: [
          notRan(),
          told('Red tape', helper),
          recorded(
            { effect: 'deny', because: 'test/deny', by: 'sub-agent', agentType: 'default' },
            'the journal has its id and its type, `default`',
          ),
        ],
      },
    },
    {
      name: 'a hook asks',
      policy: { hooks: [ASK] },
      script: inside(LEAVE_A_MARK),
      expected: {
        'claude-code': [notRan(), told('Amber tape', helper), recorded({ effect: 'ask', by: 'sub-agent' })],
        codex: [
          notRan(RAN, 'becomes deny: not run'),
          told('Amber tape', helper),
          recorded({ effect: 'deny', downgraded: 'ask to deny', by: 'sub-agent' }),
        ],
      },
    },
    {
      name: 'a hook rewrites the call',
      policy: { hooks: [REWRITE] },
      script: inside(LEAVE_A_MARK),
      expected: {
        'claude-code': [fileIs(RAN, 'rewritten\n', 'runs as rewritten')],
        codex: [notRan(RAN, 'becomes deny: not run'), told('echo rewritten', helper)],
      },
    },
    {
      name: 'context before a tool call',
      policy: { hooks: [contextAt('PreToolUse')].map((hook) => ({ ...hook, actor: { role: 'subagent' } })) },
      script: inside(LEAVE_A_MARK),
      expected: {
        'claude-code': [told(NOTE, helper), notTold(NOTE, 'its parent does not', { in: 'main' })],
        codex: [told(NOTE, helper), notTold(NOTE, 'its parent does not', { in: 'main' })],
      },
    },
    {
      name: 'context after a tool call',
      policy: { hooks: [contextAt('PostToolUse')].map((hook) => ({ ...hook, actor: { role: 'subagent' } })) },
      script: inside(LEAVE_A_MARK),
      expected: {
        'claude-code': [told(NOTE, helper), notTold(NOTE, 'its parent does not', { in: 'main' })],
        codex: [told(NOTE, helper), notTold(NOTE, 'its parent does not', { in: 'main' })],
      },
    },
    {
      name: 'context at its start',
      policy: { hooks: [contextAt('SubagentStart')] },
      script: inside(LEAVE_A_MARK),
      expected: {
        'claude-code': [told(NOTE, start), notTold(NOTE, 'its parent does not', { in: 'main' })],
        codex: [told(NOTE, start), notTold(NOTE, 'its parent does not', { in: 'main' })],
      },
    },
    {
      name: 'a hook replaces the output of the tool',
      policy: { hooks: [OUTPUT] },
      script: inside('echo what the tool printed'),
      expected: {
        'claude-code': [told('What the hook wrote.', helper), notTold('what the tool printed\n')],
        codex: [told('what the tool printed', helper), recorded({ downgraded: 'output', by: 'sub-agent' })],
      },
    },
    {
      name: 'a rule for the main agent only',
      policy: { hooks: [{ ...DENY, actor: { role: 'main' } }] },
      script: {
        main: [{ do: [{ delegate: 'helper' }] }, { do: [{ shell: 'echo main > main.txt' }] }],
        helper: [{ do: [{ shell: LEAVE_A_MARK }] }],
      },
      expected: {
        'claude-code': [ran(RAN, 'the sub-agent runs it'), notRan('main.txt', 'the main agent may not')],
        codex: [ran(RAN, 'the sub-agent runs it'), notRan('main.txt', 'the main agent may not')],
      },
    },
  ],
}
