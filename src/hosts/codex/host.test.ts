import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding, Reply } from '../../core/decision.ts'
import { combine, NO_OPINION } from '../../core/engine/combine.ts'
import { fitToHost } from '../../core/engine/fit-to-host.ts'
import type { Event, EventKind } from '../../core/event.ts'
import { NO_ABILITIES } from '../../core/host.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { PATCH_FILES_MAX } from '../../core/patch.ts'
import { wordList, wordSet } from '../../core/word-list.ts'
import { hostContract, type Obeyed } from '../host.contract.ts'
import { host } from './host.ts'

const folder = join(import.meta.dirname, 'fixtures')
const fixtures = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

/** Recorded if the event could be triggered headless; otherwise the documented shape. */
function payloadFor(kind: EventKind): string {
  return (
    fixtures.get(`${kind}.json`) ??
    JSON.stringify({
      session_id: 's',
      turn_id: 't',
      transcript_path: null,
      cwd: '/srv',
      hook_event_name: kind,
      model: 'gpt-5.5',
      ...(kind === 'PermissionRequest'
        ? { permission_mode: 'default', tool_name: 'Bash', tool_input: { command: 'ls' } }
        : { trigger: 'auto' }),
    })
  )
}

/**
 * Codex 0.166.0 as it was seen to behave, or as its output schemas have it where it could not be triggered: an
 * answer with a field or a value that is not accepted at the event is dropped whole, and the agent goes on.
 */
function obeys(reply: Reply, event: Event): Obeyed {
  if (reply.exitCode === 2) {
    return BLOCKED_BY_EXIT.has(event.name) && reply.stderr.trim() !== ''
      ? { does: 'stops', reason: reply.stderr }
      : { does: 'goes on' }
  }
  // Nothing is read at the end of a session, so text can only go to standard error.
  if (event.name === 'SessionEnd') {
    return { does: 'goes on', ...(reply.stderr === '' ? {} : { notice: reply.stderr }) }
  }
  if (reply.exitCode !== 0 || reply.stdout.trim() === '') return { does: 'goes on' }
  const body = readStrictly(reply.stdout)
  const fields = ACCEPTED[event.name]
  if (body === undefined || fields === undefined || !areAccepted(body, fields.top)) return { does: 'goes on' }
  const specific = body.hookSpecificOutput ?? {}
  if (!isObject(specific) || !areAccepted(specific, fields.specific)) return { does: 'goes on' }
  if (body.hookSpecificOutput !== undefined && specific.hookEventName !== event.name) {
    return { does: 'goes on' }
  }
  const said = {
    ...(specific.additionalContext === undefined ? {} : { context: String(specific.additionalContext) }),
    ...(body.systemMessage === undefined ? {} : { notice: String(body.systemMessage) }),
  }
  if (event.name === 'PreToolUse') return { ...said, ...beforeTool(body, specific) }
  if (event.name === 'PermissionRequest') return { ...said, ...onRequest(specific) }
  return { ...said, ...elsewhere(body, event) }
}

/** hookSpecificOutput and the top level, without what is in a schema but refused when it is used. */
const ACCEPTED: Readonly<Record<string, { top: readonly string[]; specific: readonly string[] }>> = {
  PreToolUse: {
    top: ['decision', 'reason', 'hookSpecificOutput', 'systemMessage'],
    specific: [
      'hookEventName',
      'permissionDecision',
      'permissionDecisionReason',
      'updatedInput',
      'additionalContext',
    ],
  },
  PermissionRequest: {
    top: ['hookSpecificOutput', 'systemMessage'],
    specific: ['hookEventName', 'decision'],
  },
  PostToolUse: {
    top: ['decision', 'reason', 'hookSpecificOutput', 'systemMessage', 'continue', 'stopReason'],
    specific: ['hookEventName', 'additionalContext'],
  },
  UserPromptSubmit: {
    top: ['decision', 'reason', 'hookSpecificOutput', 'systemMessage', 'continue', 'stopReason'],
    specific: ['hookEventName', 'additionalContext'],
  },
  SessionStart: {
    top: ['hookSpecificOutput', 'systemMessage', 'continue', 'stopReason'],
    specific: ['hookEventName', 'additionalContext'],
  },
  SubagentStart: {
    top: ['hookSpecificOutput', 'systemMessage', 'continue', 'stopReason'],
    specific: ['hookEventName', 'additionalContext'],
  },
  Stop: { top: ['decision', 'reason', 'systemMessage', 'continue', 'stopReason'], specific: [] },
  SubagentStop: { top: ['decision', 'reason', 'systemMessage', 'continue', 'stopReason'], specific: [] },
  PreCompact: { top: ['systemMessage', 'continue', 'stopReason'], specific: [] },
  PostCompact: { top: ['systemMessage', 'continue', 'stopReason'], specific: [] },
  Interrupt: { top: ['systemMessage'], specific: [] },
}

const BLOCKED_BY_EXIT = wordSet(
  'PreToolUse PermissionRequest PostToolUse UserPromptSubmit Stop SubagentStop NewToolEvent',
)

/** Its parser takes no half surrogate pairs and at most 128 levels. */
function readStrictly(text: string): JsonObject | undefined {
  const value: unknown = JSON.parse(text)
  const levels = (each: unknown): number =>
    typeof each === 'object' && each !== null ? 1 + Math.max(0, ...Object.values(each).map(levels)) : 0
  if (/\\ud[89a-f]/.test(text.replaceAll('\\\\', '')) || levels(value) > 127) return undefined
  return isObject(value) ? value : undefined
}

function areAccepted(object: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(object).every((key) => keys.includes(key))
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function beforeTool(body: JsonObject, specific: JsonObject): Obeyed {
  const decision = specific.permissionDecision
  if (decision === 'deny') {
    if (!isFilled(specific.permissionDecisionReason)) return { does: 'goes on' }
    return { does: 'stops', reason: String(specific.permissionDecisionReason) }
  }
  if (decision === 'allow' && specific.updatedInput !== undefined) {
    return { does: 'goes on', input: specific.updatedInput }
  }
  if (body.decision === 'block' && isFilled(body.reason))
    return { does: 'stops', reason: String(body.reason) }
  // `ask`, a bare `allow`, an input or a reason without a decision: the hook has failed.
  return { does: 'goes on' }
}

function onRequest(specific: JsonObject): Obeyed {
  const decision = isObject(specific.decision) ? specific.decision : {}
  if (!areAccepted(decision, ['behavior', 'message'])) return { does: 'goes on' }
  if (decision.behavior === 'deny') return { does: 'stops', reason: String(decision.message) }
  return { does: decision.behavior === 'allow' ? 'skips the prompt' : 'goes on' }
}

function elsewhere(body: JsonObject, event: Event): Obeyed {
  const block = body.decision === 'block' && isFilled(body.reason) ? String(body.reason) : undefined
  if (body.continue === false) {
    // After a tool it is one more way to give the model a text; at a stop it allows the stop, with or without a block.
    if (event.name === 'PostToolUse') return { does: 'stops', reason: block ?? String(body.stopReason) }
    return { does: event.name === 'UserPromptSubmit' ? 'stops' : 'goes on', ends: true, ...reasonIf(block) }
  }
  return { does: block === undefined ? 'goes on' : 'stops', ...reasonIf(block) }
}

function reasonIf(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}

hostContract({ host, fixtures, payloadFor, obeys })

const decode = (payload: JsonObject | string, event?: string) =>
  host.decode({
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    cwd: '/srv/here',
    ...(event === undefined ? {} : { event }),
  })
const fixture = (name: string): Event => {
  const decoded = decode(fixtures.get(`${name}.json`) ?? '')
  if (!decoded.ok) throw new Error(decoded.problem.message)
  return decoded.value
}
const call = {
  session_id: 's',
  turn_id: 't',
  transcript_path: null,
  cwd: '/srv',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'call_1',
}

describe('Codex events', () => {
  it('are the eleven that have a kind', () => {
    const kinds = wordList(`
      PermissionRequest PostCompact PostToolUse PreCompact PreToolUse SessionEnd SessionStart Stop
      SubagentStart SubagentStop UserPromptSubmit
    `)
    expect(Object.keys(host.events).sort()).toEqual(kinds)
  })

  it('name the session, the turn and the transcript', () => {
    expect(fixture('PreToolUse.Bash')).toMatchObject({
      session: '01a1dea2-cbcc-7782-8970-8cd9f5f37070',
      promptId: '01a1dea2-cc7a-7bf1-a6ef-ecd535c953b6',
      cwd: '/tmp/project',
      permissionMode: 'bypassPermissions',
      tool: { name: 'Bash', useId: 'call_main_0_0_1' },
    })
    expect(decode(call)).toMatchObject({ value: { transcriptPath: undefined } })
  })

  it('of a sub-agent carry its id and type beside the session of the main agent', () => {
    const agent = { agentId: '01a1dea2-d3ca-7ae2-96f9-f53f5e29cd92', agentType: 'default' }
    const names = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit'].map((name) => `${name}.subagent`)
    for (const name of [...names, 'SubagentStart', 'SubagentStop']) {
      expect(fixture(name)).toMatchObject({ ...agent, session: fixture('Stop').session })
    }
    expect(fixture('PreToolUse.Bash')).toMatchObject({ agentId: undefined })
  })

  it('carry what was said and done', () => {
    expect(fixture('PostToolUse.Bash')).toMatchObject({ output: 'out_one\n' })
    expect(fixture('Stop')).toMatchObject({ stopHookActive: false, lastMessage: 'end' })
    expect(fixture('SubagentStop')).toMatchObject({ lastMessage: 'sub end' })
    expect(fixture('SessionStart')).toMatchObject({ source: 'startup', model: 'gpt-5.5' })
    expect(fixture('SessionEnd')).toMatchObject({ reason: 'other' })
    expect(fixture('UserPromptSubmit')).toMatchObject({ prompt: 'SCN:main go' })
    expect(decode(payloadFor('PreCompact'))).toMatchObject({ value: { trigger: 'auto' } })
  })

  it('keep an interrupt, and unknown events, complete and unknown', () => {
    for (const name of ['Interrupt', 'PreModelRequest']) {
      expect(decode({ session_id: 's', hook_event_name: name, novel: [1] })).toMatchObject({
        ok: true,
        value: { kind: 'Unknown', name, raw: { novel: [1] } },
      })
    }
  })
})

describe('Codex tools', () => {
  it('keep their names, but for the one that starts an agent', () => {
    expect(fixture('PreToolUse.spawn_agent')).toMatchObject({
      tool: { name: 'Agent', input: { message: 'SCN:sub please' } },
    })
    for (const name of ['multi_agent_v1wait_agent', 'mcp__stub__echo']) {
      expect(fixture(`PreToolUse.${name}`)).toMatchObject({ tool: { name } })
    }
    expect(decode({ ...call, tool_name: 'constructor' })).toMatchObject({
      value: { tool: { name: 'constructor' } },
    })
  })

  it('name the files of a patch', () => {
    expect(fixture('PreToolUse.apply_patch')).toMatchObject({
      tool: { name: 'apply_patch', files: [{ path: 'b.txt', change: 'add' }] },
    })
    expect(fixture('PreToolUse.Bash')).not.toHaveProperty('tool.files')
  })

  it('are not judged by an incomplete list of files of a patch', () => {
    const patch = (count: number) =>
      Array.from({ length: count }, (_, index) => `*** Add File: ${index}`).join('\n')
    const decodePatch = (count: number) =>
      decode({ ...call, tool_name: 'apply_patch', tool_input: { command: patch(count) } })
    expect(decodePatch(PATCH_FILES_MAX - 1).ok).toBe(true)
    expect(decodePatch(PATCH_FILES_MAX + 1)).toMatchObject({
      ok: false,
      problem: { code: 'PAYLOAD_TOO_LARGE' },
    })
  })
})

describe('a broken payload', () => {
  it.each<[string, string, string, string | undefined]>([
    ['empty', '', 'PAYLOAD_EMPTY', undefined],
    ['not JSON', 'hello', 'PAYLOAD_NOT_JSON', undefined],
    ['truncated', '{"hook_event_name":"PreToolUse","tool_na', 'PAYLOAD_NOT_JSON', undefined],
    ['a list', '[{}]', 'PAYLOAD_NOT_OBJECT', undefined],
    ['without an event', JSON.stringify({ prompt: 'hi' }), 'PAYLOAD_FIELD', 'hook_event_name'],
    ['without a tool name', JSON.stringify({ ...call, tool_name: undefined }), 'PAYLOAD_FIELD', 'tool_name'],
    ['with a text as input', JSON.stringify({ ...call, tool_input: 'ls' }), 'PAYLOAD_FIELD', 'tool_input'],
    [
      'with a patch that is no text',
      JSON.stringify({ ...call, tool_name: 'apply_patch', tool_input: { command: ['x'] } }),
      'PAYLOAD_FIELD',
      'command',
    ],
    [
      'with a patch somewhere else',
      JSON.stringify({ ...call, tool_name: 'apply_patch', tool_input: { patch: '*** Add File: .env' } }),
      'PAYLOAD_FIELD',
      'command',
    ],
  ])('%s has its own error', (_name, payload, code, key) => {
    expect(decode(payload)).toMatchObject({
      ok: false,
      problem: { code, ...(key === undefined ? {} : { key }) },
    })
  })
})

describe('the exact bytes that Codex reads', () => {
  const event = (kind: EventKind): Event => {
    const decoded = decode(payloadFor(kind))
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return decoded.value
  }
  const fitted = (to: Event, finding: Partial<Finding>) =>
    host.encode(
      fitToHost(
        combine([{ hook: 'team/rule', hookIndex: 0, effect: 'pass', ...finding }]),
        host.events[to.kind] ?? NO_ABILITIES,
      ),
      to,
    )
  const context = [
    { text: 'a', to: 'self' },
    { text: 'b', to: 'self' },
    { text: 'c', to: 'main' },
  ] as const
  const no = { effect: 'deny', reason: 'no' } as const
  const deny = (reason: string) =>
    `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":${JSON.stringify(reason)}}}`

  it.each<[EventKind, string, Partial<Finding>, string]>([
    ['PreToolUse', 'no opinion', {}, ''],
    ['PreToolUse', 'a granted allow alone', { effect: 'allow' }, ''],
    ['PreToolUse', 'deny', no, deny('no')],
    ['PreToolUse', 'deny without a reason', { effect: 'deny' }, deny('Stopped by Holdpoint (team/rule).')],
    [
      'PreToolUse',
      'deny with blanks for a reason',
      { effect: 'deny', reason: ' \n' },
      deny('Stopped by Holdpoint (team/rule).'),
    ],
    ['PreToolUse', 'ask', { effect: 'ask', reason: 'sure?' }, deny('sure?')],
    ['PreToolUse', 'deny and halt', { ...no, halt: 'over' }, deny('no\nover')],
    ['PreToolUse', 'halt alone', { halt: 'over' }, deny('over')],
    ['PreToolUse', 'halt without a word', { halt: ' ' }, deny('Ended by Holdpoint.')],
    [
      'PreToolUse',
      'rewrite without a grant',
      { rewrite: { command: 'x' } },
      deny(
        'This call may only run with a changed input. Call the tool again with exactly this input: {"command":"x"}',
      ),
    ],
    [
      'PreToolUse',
      'rewrite with a grant',
      { effect: 'allow', reason: 'fine', rewrite: { command: 'x' } },
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"x"}}}',
    ],
    [
      'PreToolUse',
      'rewrite of a command to none',
      { effect: 'allow', rewrite: { cmd: 'x' } },
      deny('Tell the user: this call may only run with a changed input, and the change has no `command`.'),
    ],
    [
      'PreToolUse',
      'deny with context and a notice',
      { ...no, context, notices: ['n'] },
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"a\\n\\nb"},"systemMessage":"n"}',
    ],
    [
      'PreToolUse',
      'context',
      { context },
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a\\n\\nb"}}',
    ],
    ['PreToolUse', 'a notice', { notices: ['n', 'm'] }, '{"systemMessage":"n\\nm"}'],
    ['PermissionRequest', 'no opinion', {}, ''],
    ['PermissionRequest', 'ask: its own question comes', { effect: 'ask', reason: 'sure?' }, ''],
    [
      'PermissionRequest',
      'deny',
      no,
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}',
    ],
    [
      'PermissionRequest',
      'halt',
      { halt: 'over' },
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"over"}}}',
    ],
    [
      'PermissionRequest',
      'allow',
      { effect: 'allow' },
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
    ],
    [
      'PermissionRequest',
      'rewrite with a grant',
      { effect: 'allow', rewrite: { command: 'x' } },
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"This call may only run with a changed input. Call the tool again with exactly this input: {\\"command\\":\\"x\\"}"}}}',
    ],
    ['PostToolUse', 'no opinion', {}, ''],
    ['PostToolUse', 'deny', no, '{"decision":"block","reason":"no"}'],
    [
      'PostToolUse',
      'deny, halt and context',
      { ...no, halt: 'over', context },
      '{"decision":"block","reason":"no\\nover","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"a\\n\\nb"}}',
    ],
    ['PostToolUse', 'halt', { halt: 'over' }, '{"decision":"block","reason":"over"}'],
    ['PostToolUse', 'a new output, which it does not take', { output: 'masked' }, ''],
    ['UserPromptSubmit', 'no opinion', {}, ''],
    ['UserPromptSubmit', 'deny', no, '{"decision":"block","reason":"no"}'],
    ['UserPromptSubmit', 'halt', { halt: 'over' }, '{"continue":false,"stopReason":"over"}'],
    [
      'UserPromptSubmit',
      'deny and halt',
      { ...no, halt: 'over' },
      '{"continue":false,"stopReason":"over","decision":"block","reason":"no"}',
    ],
    [
      'UserPromptSubmit',
      'context',
      { context },
      '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a\\n\\nb"}}',
    ],
    [
      'SessionStart',
      'context',
      { context },
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\\n\\nb"}}',
    ],
    [
      'SessionStart',
      'deny',
      no,
      '{"systemMessage":"This agent does not let hooks block this event, so this is only a warning: no"}',
    ],
    ['SessionStart', 'halt', { halt: 'over' }, '{"continue":false,"stopReason":"over"}'],
    ['SubagentStart', 'halt', { halt: 'over' }, '{"systemMessage":"To be ended here: over"}'],
    [
      'SubagentStart',
      'context',
      { context },
      '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"a\\n\\nb"}}',
    ],
    ['Stop', 'no opinion', {}, ''],
    ['Stop', 'deny', { ...no, context }, '{"decision":"block","reason":"no"}'],
    [
      'Stop',
      'deny and halt: it is held',
      { ...no, halt: 'over' },
      '{"decision":"block","reason":"no","systemMessage":"To be ended here: over"}',
    ],
    ['SubagentStop', 'deny', no, '{"decision":"block","reason":"no"}'],
    [
      'PreCompact',
      'deny',
      no,
      '{"systemMessage":"This agent does not let hooks block this event, so this is only a warning: no"}',
    ],
    ['PostCompact', 'a notice', { notices: ['n'] }, '{"systemMessage":"n"}'],
    ['SessionEnd', 'no opinion', {}, ''],
  ])('%s, %s', (kind, _name, finding, stdout) => {
    expect(fitted(event(kind), finding)).toEqual({
      stdout: stdout === '' ? '' : `${stdout}\n`,
      stderr: '',
      exitCode: 0,
    })
  })

  it('the user is notified on standard error at events where nothing is read', () => {
    const told = { stdout: '', stderr: 'n\n', exitCode: 0 }
    expect(fitted(event('SessionEnd'), { notices: ['n'] })).toEqual(told)
    const unknown = decode({ session_id: 's', hook_event_name: 'PreModelRequest' })
    if (!unknown.ok) throw new Error()
    expect(fitted(unknown.value, { notices: ['n'] })).toEqual(told)
    const notOffered = decode({ session_id: 's', hook_event_name: 'Notification' })
    if (!notOffered.ok) throw new Error()
    expect(fitted(notOffered.value, { ...no, notices: ['n'] }).stderr).toContain('only a warning: no')
  })

  it('notices are cut at four thousand characters', () => {
    const notices = (length: number) => ({ notices: ['x'.repeat(length)] })
    for (const length of [4000, 4001]) {
      const { stdout } = fitted(event('PostCompact'), notices(length))
      expect(JSON.parse(stdout)).toEqual({ systemMessage: 'x'.repeat(4000) })
      expect(fitted(event('SessionEnd'), notices(length)).stderr).toBe(`${'x'.repeat(4000)}\n`)
    }
  })

  it('an interrupt accepts only a notice', () => {
    const interrupt = decode({ session_id: 's', hook_event_name: 'Interrupt' })
    if (!interrupt.ok) throw new Error()
    const bytes = (finding: Partial<Finding>) => fitted(interrupt.value, finding).stdout
    expect(bytes({})).toBe('')
    expect(bytes({ context, halt: 'over', notices: ['n'] })).toBe('{"systemMessage":"n"}\n')
  })

  it('an unknown event with a tool is blocked by exit code, with a reason', () => {
    const decoded = decode({ ...call, hook_event_name: 'NewToolEvent' })
    if (!decoded.ok) throw new Error()
    const stopped = (stderr: string) => ({ stdout: '', stderr: `${stderr}\n`, exitCode: 2 })
    expect(decoded.value).toMatchObject({ kind: 'PreToolUse', name: 'NewToolEvent' })
    expect(fitted(decoded.value, no)).toEqual(stopped('no'))
    expect(fitted(decoded.value, { effect: 'deny', reason: '' })).toEqual(
      stopped('Stopped by Holdpoint (team/rule).'),
    )
    expect(fitted(decoded.value, { effect: 'allow', rewrite: { command: 'x' } }).exitCode).toBe(2)
    expect(host.encode(NO_OPINION, decoded.value)).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  })

  it('block a decision that was not fitted to this host, because Codex rejects an ask and would run the tool', () => {
    const ask = combine([{ hook: 'team/rule', hookIndex: 0, effect: 'ask', reason: 'sure?' }])
    expect(host.encode(ask, event('PreToolUse')).stdout).toBe(`${deny('sure?')}\n`)
  })

  it('are JSON that a stricter parser accepts: no half surrogate pairs, no deep nesting', () => {
    const before = event('PreToolUse')
    const half = fitted(before, { effect: 'deny', reason: 'cut \ud83d' })
    expect(half.stdout).toContain('"cut \uFFFD"')
    expect(obeys(half, before).does).toBe('stops')
    const rewrite = { command: 'a\ud800', '\udc00': 'C:\\ud800 😀' }
    expect(obeys(fitted(before, { effect: 'allow', rewrite }), before)).toEqual({
      does: 'goes on',
      input: { command: 'a\uFFFD', '\uFFFD': 'C:\\ud800 😀' },
    })
    let deep: JsonObject = {}
    for (let level = 0; level < 5_000; level += 1) deep = { deep }
    const tooDeep = fitted(before, { effect: 'allow', rewrite: { command: 'x', deep } })
    expect(obeys(tooDeep, before)).toMatchObject({ does: 'stops' })
  })

  it('a refusal blocks by exit code in plain text, or continues with the text on standard error', () => {
    const problem = { code: 'PAYLOAD_EMPTY', message: 'Nothing came.' } as const
    const text = 'holdpoint: this could not be judged. Nothing came.'
    const passed = host.refuse(problem, { effect: 'pass', kind: 'Stop' })
    expect(passed).toMatchObject({ stdout: '', exitCode: 0 })
    expect(passed.stderr.startsWith(text)).toBe(true)
    const denied = host.refuse(problem, { effect: 'deny', kind: undefined })
    expect(denied).toMatchObject({ stdout: '', exitCode: 2 })
    expect(denied.stderr.startsWith(text)).toBe(true)
  })
})
