import { notShown, notTold, recorded, shows, told, turns } from '../checks.ts'
import type { PolicyHook } from '../policy.ts'
import type { Chapter } from '../scenario.ts'
import { LEAVE_A_MARK } from './tools.ts'

/** Text for the model at every event that supports it, and prompts that are blocked. */

const NOTE = 'Mind the gap.'

export function contextAt(on: string): PolicyHook {
  return { on, id: 'test/context', answer: { hookSpecificOutput: { additionalContext: NOTE } } }
}

const call = { main: [{ do: [{ shell: LEAVE_A_MARK }] }] }
const failingCall = { main: [{ do: [{ shell: 'exit 3' }] }] }

export const context: Chapter = {
  title: 'Context for the model',
  scenarios: [
    {
      name: 'at the start of the session',
      policy: { hooks: [contextAt('SessionStart')] },
      script: {},
      expected: { 'claude-code': [told(NOTE, { step: 0 })], codex: [told(NOTE, { step: 0 })] },
    },
    {
      name: 'with the prompt',
      policy: { hooks: [contextAt('UserPromptSubmit')] },
      script: {},
      expected: { 'claude-code': [told(NOTE, { step: 0 })], codex: [told(NOTE, { step: 0 })] },
    },
    {
      name: 'when a slash command becomes a prompt',
      policy: { hooks: [contextAt('UserPromptExpansion')] },
      project: { '.claude/commands/tidy.md': 'Tidy up: $ARGUMENTS\n' },
      options: { prompt: '/tidy' },
      script: {},
      expected: {
        'claude-code': [told(NOTE, { step: 0 })],
        codex: { cannot: 'no such event' },
      },
    },
    {
      name: 'before a tool call',
      policy: { hooks: [contextAt('PreToolUse')] },
      script: call,
      expected: { 'claude-code': [told(NOTE)], codex: [told(NOTE)] },
    },
    {
      name: 'after a tool call',
      policy: { hooks: [contextAt('PostToolUse')] },
      script: call,
      expected: { 'claude-code': [told(NOTE)], codex: [told(NOTE)] },
    },
    {
      name: 'after a tool call that failed',
      policy: { hooks: [contextAt('PostToolUseFailure')] },
      script: failingCall,
      expected: {
        'claude-code': [told(NOTE)],
        codex: [
          notTold(NOTE, 'no such event: a failed call ends with PostToolUse'),
          recorded({ event: 'PostToolUse' }),
        ],
      },
    },
    {
      name: 'a hook objects to the result of a tool',
      policy: {
        hooks: [
          { on: 'PostToolUse', id: 'test/object', answer: { decision: 'block', reason: 'Do that again.' } },
        ],
      },
      script: { main: [{ do: [{ shell: 'echo what the tool printed' }] }] },
      expected: {
        'claude-code': [told('what the tool printed'), told('Do that again.')],
        codex: [told('Do that again.')],
      },
    },
    {
      name: 'a hook blocks a prompt',
      policy: {
        hooks: [
          {
            on: 'UserPromptSubmit',
            id: 'test/block',
            answer: { decision: 'block', reason: 'Not that one.' },
          },
        ],
      },
      script: {},
      expected: {
        'claude-code': [
          turns(0, 'the model is not asked'),
          shows('Not that one.', 'the person reads the reason'),
        ],
        codex: [
          turns(0, 'the model is not asked'),
          notShown('Not that one.', '`exec --json` does not show the reason'),
        ],
      },
    },
  ],
}
