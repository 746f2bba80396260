import { describe, expect, it, test } from 'vitest'
import type { Decision } from '../../core/decision.ts'
import { NO_OPINION } from '../../core/engine/combine.ts'
import type { Event } from '../../core/event.ts'
import { eventOf, toolCall } from '../../library/testing/events.ts'
import { encode, refuse } from './encode.ts'

const ran = (output: unknown) =>
  eventOf('PostToolUse', { tool: { name: 'Fetch', input: {}, useId: '1' }, output })
const AT = {
  call: toolCall('Bash', { command: 'ls' }),
  permission: eventOf('PermissionRequest', { tool: { name: 'Bash', input: {}, useId: '1' } }),
  shell: ran({ stdout: 'old', stderr: 'warning', code: 0 }),
  structure: ran({ status: 200 }),
  text: ran('old'),
  prompt: eventOf('UserPromptSubmit', { prompt: 'x' }),
  stop: eventOf('Stop'),
  task: eventOf('TaskCompleted'),
  worktree: eventOf('WorktreeCreate'),
  model: eventOf('PreModelSwitch'),
  note: eventOf('Notification'),
  renamed: eventOf('PreToolUse', { name: 'BeforeTool', tool: { name: 'Bash', input: {} } }),
  unknown: eventOf('Unknown', { name: 'Later' }),
} as const satisfies Readonly<Record<string, Event>>

const NOT_REPLACED = "The output of Fetch was not replaced: a new one must have the shape of the tool's own."
const reason = (text: string, more = {}) => [{ hook: 'team/rule', text, ...more }]
const self = (text: string) => ({ text, to: 'self' }) as const
const specific = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})
const said = (what: 'deny' | 'ask' | 'allow', text: string) => ({
  permissionDecision: what,
  permissionDecisionReason: text,
})
const encoded = (at: keyof typeof AT, more: Partial<Decision>) =>
  encode({ ...NO_OPINION, because: ['team/rule'], ...more }, AT[at])
const bodyOf = (at: keyof typeof AT, more: Partial<Decision>) => {
  const { stdout, stderr, exitCode } = encoded(at, more)
  expect([stderr, exitCode]).toEqual(['', 0])
  return JSON.parse(stdout)
}

describe('a decision as Claude Code reads it', () => {
  test.each<[string, keyof typeof AT, Partial<Decision>, object]>([
    ['no opinion', 'call', {}, {}],
    [
      'an allow',
      'call',
      { effect: 'allow', reasons: reason('Fine.') },
      specific('PreToolUse', said('allow', 'Fine.')),
    ],
    [
      'an allow without words',
      'call',
      { effect: 'allow' },
      specific('PreToolUse', said('allow', 'Granted by Holdpoint (team/rule).')),
    ],
    [
      'a question, in the words for the person',
      'call',
      { effect: 'ask', reasons: reason('Ask.', { question: 'May it?' }) },
      specific('PreToolUse', said('ask', 'May it?')),
    ],
    [
      'a question without words of its own',
      'call',
      { effect: 'ask', reasons: reason('Ask.') },
      specific('PreToolUse', said('ask', 'Ask.')),
    ],
    ['a new input', 'call', { rewrite: { a: 1 } }, specific('PreToolUse', { updatedInput: { a: 1 } })],
    [
      'a new input that is granted',
      'permission',
      { effect: 'allow', rewrite: { a: 1 } },
      specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { a: 1 } } }),
    ],
    [
      'a grant',
      'permission',
      { effect: 'allow' },
      specific('PermissionRequest', { decision: { behavior: 'allow' } }),
    ],
    ['no grant, with a notice', 'permission', { notices: ['n'] }, { systemMessage: 'n' }],
    [
      'another model, with a new input that it has not',
      'model',
      { effect: 'ask', reasons: reason('Sure?'), rewrite: { a: 1 } },
      specific('PreModelSwitch', said('ask', 'Sure?')),
    ],
    [
      'context',
      'prompt',
      { context: [self('a'), { text: 'x', to: 'main' }, self('b')] },
      specific('UserPromptSubmit', { additionalContext: 'a\n\nb' }),
    ],
    ['context at a stop, which would go on', 'stop', { context: [self('a')] }, {}],
    ['an end of the work', 'stop', { halt: 'Enough.' }, { continue: false, stopReason: 'Enough.' }],
    [
      'an output of a shell',
      'shell',
      { output: 'new' },
      specific('PostToolUse', { updatedToolOutput: { stdout: 'new', stderr: '', code: 0 } }),
    ],
    [
      'a whole output of a shell',
      'shell',
      { output: { stdout: 'new', stderr: 'x', code: 1 } },
      specific('PostToolUse', { updatedToolOutput: { stdout: 'new', stderr: 'x', code: 1 } }),
    ],
    [
      'an output of the right shape',
      'structure',
      { output: { status: 404 } },
      specific('PostToolUse', { updatedToolOutput: { status: 404 } }),
    ],
    ['a text for a text', 'text', { output: 'new' }, specific('PostToolUse', { updatedToolOutput: 'new' })],
    [
      'a text for a structure',
      'structure',
      { output: 'new' },
      { ...specific('PostToolUse', { updatedToolOutput: 'new' }), systemMessage: NOT_REPLACED },
    ],
    ['an output where there is none', 'prompt', { output: 'new' }, {}],
    ['notices', 'note', { notices: ['a', 'b'] }, { systemMessage: 'a\nb' }],
    ['notices at an unknown event', 'unknown', { effect: 'deny', notices: ['a'] }, { systemMessage: 'a' }],
    [
      'an allow at an event that is blocked by exit code',
      'task',
      { effect: 'allow', notices: ['a'] },
      { systemMessage: 'a' },
    ],
  ])('%s', (_what, at, decision, body) => {
    expect(bodyOf(at, decision)).toEqual(body)
  })

  test.each<[string, keyof typeof AT, object, string]>([
    ['a call', 'call', specific('PreToolUse', said('deny', 'No.\nRead why.')), 'Bash'],
    ['a prompt', 'prompt', { decision: 'block', reason: 'No.\nRead why.' }, 'UserPromptSubmit'],
    ['a result', 'text', { decision: 'block', reason: 'No.\nRead why.' }, 'Fetch'],
    [
      'a request',
      'permission',
      specific('PermissionRequest', { decision: { behavior: 'deny', message: 'No.\nRead why.' } }),
      'Bash',
    ],
  ])('a deny of %s also tells the user in a few words', (_what, at, body, what) => {
    const deny = { effect: 'deny', notices: ['n'] } as const
    const systemMessage = `Holdpoint denied ${what} [team/guard, team/rule]: No.\nn`
    const reasons = [...reason('No.', { guard: 'team/guard' }), ...reason('Read why.')]
    expect(bodyOf(at, { ...deny, reasons })).toEqual({ ...body, systemMessage })
  })

  it('cuts long reasons in the notice only, and long notices at four thousand characters', () => {
    const at = (length: number) => bodyOf('call', { effect: 'deny', reasons: reason('x'.repeat(length)) })
    expect(at(200).systemMessage).toMatch(/: x{200}$/)
    expect(at(201).systemMessage).toMatch(/: x{200}…$/)
    expect(at(201).hookSpecificOutput.permissionDecisionReason).toHaveLength(201)
    expect(bodyOf('note', { notices: ['x'.repeat(4001)] }).systemMessage).toHaveLength(4000)
  })
})

describe('an event that only an exit code blocks', () => {
  test.each<[string, keyof typeof AT, Partial<Decision>, string]>([
    ['a deny', 'task', { effect: 'deny', reasons: reason('No.') }, 'No.\n'],
    ['a question', 'task', { effect: 'ask', reasons: reason('Ask.', { question: 'May it?' }) }, 'May it?\n'],
    ['a deny without words', 'task', { effect: 'deny' }, 'Stopped by Holdpoint (team/rule).\n'],
    ['an event that was renamed', 'renamed', { effect: 'deny', reasons: reason('No.') }, 'No.\n'],
    ['a worktree', 'worktree', { effect: 'deny', reasons: reason('No.') }, 'No.\n'],
  ])('%s', (_what, at, decision, stderr) => {
    expect(encoded(at, decision)).toEqual({ stdout: '', stderr, exitCode: 2 })
  })

  it('a worktree that is not denied gets no output: any would be its path', () => {
    expect(encoded('worktree', { notices: ['n'] })).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  })
})

describe('a payload that could not be judged', () => {
  const problem = { code: 'PAYLOAD_NOT_JSON', message: 'It is no JSON.' } as const
  const stderr = expect.stringMatching(/^holdpoint: this could not be judged\. .*It is no JSON\..*\n$/s)

  it.each<['deny' | 'pass', 'PreToolUse' | 'WorktreeCreate', boolean, number]>([
    ['deny', 'PreToolUse', false, 2],
    ['deny', 'WorktreeCreate', false, 2],
    ['pass', 'PreToolUse', true, 0],
    ['pass', 'WorktreeCreate', false, 0],
  ])('gets the last resort: %s at %s', (effect, kind, tells, exitCode) => {
    const reply = refuse(problem, { effect, kind })
    expect(reply).toMatchObject({ stderr, exitCode })
    if (tells) expect(`${JSON.parse(reply.stdout).systemMessage}\n`).toBe(reply.stderr)
    else expect(reply.stdout).toBe('')
  })
})
