import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding, Reply } from '../../core/decision.ts'
import { combine, NO_OPINION } from '../../core/engine/combine.ts'
import { EVENT_KINDS, type Event, type EventKind } from '../../core/event.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
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
      transcript_path: '/t',
      cwd: '/srv',
      hook_event_name: kind,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    })
  )
}

/** Only an output in the shape of the tool's own is accepted; for a shell, the model reads its `stdout`. */
function takenOutput(updated: Json | undefined, event: Event): { readonly output?: Json } {
  if (updated === undefined) return {}
  const isShell = event.kind === 'PostToolUse' && isObject(event.output) && 'stdout' in event.output
  if (!isShell) return { output: updated }
  return isObject(updated) && updated.stdout !== undefined ? { output: updated.stdout } : {}
}

/** Claude Code 2.1.325 as observed, or as documented for events that could not be triggered. */
function obeys(reply: Reply, event: Event): Obeyed {
  const body = parse(reply.stdout)
  const specific = isObject(body.hookSpecificOutput) ? body.hookSpecificOutput : {}
  if (Object.keys(specific).length > 0) expect(specific.hookEventName).toBe(event.name)
  const said = {
    ...(specific.updatedInput === undefined ? {} : { input: specific.updatedInput }),
    ...takenOutput(specific.updatedToolOutput, event),
    ...(specific.additionalContext === undefined ? {} : { context: String(specific.additionalContext) }),
    ...(body.systemMessage === undefined ? {} : { notice: String(body.systemMessage) }),
    ...(body.continue === false ? { ends: true } : {}),
  }
  if (reply.exitCode === 2)
    return EXIT_2_BLOCKS.has(event.name)
      ? { ...said, does: 'stops', reason: reply.stderr }
      : { ...said, does: 'goes on' }
  expect(reply.exitCode).toBe(0)
  if (event.kind === 'PreToolUse' || event.kind === 'PreModelSwitch') {
    const decision = specific.permissionDecision
    const reason = { reason: String(specific.permissionDecisionReason) }
    if (decision === 'deny') return { ...said, does: 'stops', ...reason }
    if (decision === 'ask') return { ...said, does: 'asks', ...reason }
    if (decision === 'allow') return { ...said, does: 'skips the prompt' }
    expect(decision).toBeUndefined()
    return { ...said, does: 'goes on' }
  }
  if (event.kind === 'PermissionRequest') {
    const decision = isObject(specific.decision) ? specific.decision : undefined
    if (decision?.behavior === 'deny') return { ...said, does: 'stops', reason: String(decision.message) }
    return { ...said, does: decision?.behavior === 'allow' ? 'skips the prompt' : 'goes on' }
  }
  if (body.decision === 'block' && BLOCKS_BY_DECISION.has(event.name))
    return { ...said, does: 'stops', reason: String(body.reason) }
  return { ...said, does: 'goes on' }
}

const BLOCKS_BY_DECISION = new Set([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
  'ConfigChange',
  'PostToolUse',
  'PostToolBatch',
  'PreCompact',
])
const EXIT_2_BLOCKS = new Set([
  ...BLOCKS_BY_DECISION,
  'PreToolUse',
  'PreModelSwitch',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'WorktreeCreate',
  'NewToolEvent',
])

function parse(text: string): JsonObject {
  // The tool runs if a text starts with `{` and cannot be parsed: every reply must be complete.
  if (text === '') return {}
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('not an object')
  return value
}

hostContract({ host, fixtures, payloadFor, obeys })

const decode = (payload: JsonObject | string, event?: string) =>
  host.decode({
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    cwd: '/srv/here',
    ...(event === undefined ? {} : { event }),
  })
const call = {
  session_id: 's',
  cwd: '/srv',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
}

describe('Claude Code events', () => {
  it('are all 33 known', () => {
    expect(Object.keys(host.events)).toHaveLength(33)
    expect(new Set(Object.keys(host.events))).toEqual(
      new Set(EVENT_KINDS.filter((kind) => kind !== 'Unknown')),
    )
  })

  it('that are not known yet are kept complete', () => {
    const decoded = decode({
      ...call,
      hook_event_name: 'BrandNew',
      tool_name: undefined as never,
      novel: [1],
    })
    expect(decoded).toMatchObject({
      ok: true,
      value: { kind: 'Unknown', name: 'BrandNew', raw: { novel: [1] } },
    })
  })

  it('that are not known yet but have a tool are judged as a call, and blocked by exit code', () => {
    const decoded = decode({ ...call, hook_event_name: 'NewToolEvent' })
    if (!decoded.ok) throw new Error()
    expect(decoded.value).toMatchObject({ kind: 'PreToolUse', name: 'NewToolEvent' })
    const reply = host.encode(
      combine([{ hook: 'h', hookIndex: 0, effect: 'deny', reason: 'no' }]),
      decoded.value,
    )
    expect(reply).toEqual({ stdout: '', stderr: 'no\n', exitCode: 2 })
    expect(host.encode(NO_OPINION, decoded.value)).toEqual({ stdout: '{}\n', stderr: '', exitCode: 0 })
  })

  it('name their event in the payload, else by --event, else by carrying a tool', () => {
    const { hook_event_name: _name, ...bare } = call
    expect(decode(bare)).toMatchObject({ ok: true, value: { kind: 'PreToolUse' } })
    expect(decode({ source: 'startup' }, 'SessionStart')).toMatchObject({
      ok: true,
      value: { kind: 'SessionStart', source: 'startup', cwd: '/srv/here' },
    })
    expect(decode({ prompt: 'hi' })).toMatchObject({
      ok: false,
      problem: { code: 'PAYLOAD_FIELD', key: 'hook_event_name' },
    })
  })

  it('distinguish the main agent, a main thread started as an agent, and a sub-agent', () => {
    expect(decode(call)).toMatchObject({ value: { agentId: undefined } })
    expect(decode({ ...call, agent_type: 'worker' })).toMatchObject({ value: { agentType: 'worker' } })
    expect(decode({ ...call, agent_id: 'a1', agent_type: 'worker' })).toMatchObject({
      value: { agentId: 'a1' },
    })
    expect(decode({ ...call, agent_id: '', agent_type: '' })).toMatchObject({
      value: { agentType: undefined },
    })
  })

  it('report a Task call as Agent', () => {
    expect(decode({ ...call, tool_name: 'Task' })).toMatchObject({ value: { tool: { name: 'Agent' } } })
  })
})

describe('a broken payload', () => {
  it.each<[string, string, string, string | undefined]>([
    ['empty', '', 'PAYLOAD_EMPTY', undefined],
    ['blank', ' \n', 'PAYLOAD_EMPTY', undefined],
    ['not JSON', 'hello', 'PAYLOAD_NOT_JSON', undefined],
    ['truncated', '{"hook_event_name":"PreToolUse","tool_na', 'PAYLOAD_NOT_JSON', undefined],
    ['a list', '[{}]', 'PAYLOAD_NOT_OBJECT', undefined],
    ['null', 'null', 'PAYLOAD_NOT_OBJECT', undefined],
    ['without a tool name', JSON.stringify({ ...call, tool_name: undefined }), 'PAYLOAD_FIELD', 'tool_name'],
    [
      'with a tool name that is a number',
      JSON.stringify({ ...call, tool_name: 7 }),
      'PAYLOAD_FIELD',
      'tool_name',
    ],
    ['without an input', JSON.stringify({ ...call, tool_input: undefined }), 'PAYLOAD_FIELD', 'tool_input'],
    [
      'with an input that is text',
      JSON.stringify({ ...call, tool_input: 'ls' }),
      'PAYLOAD_FIELD',
      'tool_input',
    ],
    [
      'with a prompt that is a list',
      JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: [] }),
      'PAYLOAD_FIELD',
      'prompt',
    ],
  ])('%s has its own error', (_name, payload, code, key) => {
    const decoded = decode(payload)
    expect(decoded).toMatchObject({ ok: false, problem: { code, ...(key === undefined ? {} : { key }) } })
  })

  it('with a byte order mark, NUL or lone surrogates inside strings is still accepted', () => {
    expect(decode(`\uFEFF${JSON.stringify(call)}`).ok).toBe(true)
    const odd = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"a\\u0000b\\ud800"}}`
    expect(decode(odd)).toMatchObject({ ok: true, value: { tool: { input: { command: 'a\u0000b\ud800' } } } })
  })
})

describe('the exact bytes that Claude Code reads', () => {
  const event = (kind: EventKind): Event => {
    const decoded = decode(payloadFor(kind))
    if (!decoded.ok) throw new Error(decoded.problem.message)
    return decoded.value
  }
  const bytes = (kind: EventKind, finding: Partial<Finding>) =>
    host.encode(combine([{ hook: 'team/rule', hookIndex: 0, effect: 'pass', ...finding }]), event(kind))

  it.each<[string, EventKind, Partial<Finding>, string]>([
    ['no opinion', 'PreToolUse', {}, '{}'],
    [
      'deny',
      'PreToolUse',
      { effect: 'deny', reason: 'no' },
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"},"systemMessage":"Holdpoint denied Bash [team/rule]: no"}',
    ],
    [
      'ask',
      'PreToolUse',
      { effect: 'ask', reason: 'sure?' },
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}',
    ],
    [
      'rewrite without a permissionDecision',
      'PreToolUse',
      { rewrite: { command: 'x' } },
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"x"}}}',
    ],
    [
      'deny and halt',
      'PreToolUse',
      { effect: 'deny', reason: 'no', halt: 'over' },
      '{"continue":false,"stopReason":"over","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"},"systemMessage":"Holdpoint denied Bash [team/rule]: no"}',
    ],
    [
      'permission request',
      'PermissionRequest',
      { effect: 'deny', reason: 'no' },
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}},"systemMessage":"Holdpoint denied Edit [team/rule]: no"}',
    ],
    [
      'prompt',
      'UserPromptSubmit',
      { effect: 'deny', reason: 'no' },
      '{"decision":"block","reason":"no","systemMessage":"Holdpoint denied UserPromptSubmit [team/rule]: no"}',
    ],
    [
      'stop',
      'Stop',
      { effect: 'deny', reason: 'not yet', context: [{ text: 'x', to: 'self' }] },
      '{"decision":"block","reason":"not yet","systemMessage":"Holdpoint denied Stop [team/rule]: not yet"}',
    ],
    [
      'context',
      'SessionStart',
      {
        context: [
          { text: 'a', to: 'self' },
          { text: 'b', to: 'self' },
        ],
      },
      '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a\\n\\nb"}}',
    ],
    [
      'output',
      'PostToolUse',
      { output: 'masked' },
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"masked","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}}',
    ],
  ])('%s', (_name, kind, finding, stdout) => {
    expect(bytes(kind, finding)).toEqual({ stdout: `${stdout}\n`, stderr: '', exitCode: 0 })
  })

  it('a text for a structured output is ignored by the program, so the user is told', () => {
    const decoded = host.decode({ payload: fixtures.get('PostToolUse.Read.json') ?? '', cwd: '/srv' })
    if (!decoded.ok) throw new Error(decoded.problem.message)
    const { stdout } = host.encode(
      combine([{ hook: 'team/rule', hookIndex: 0, effect: 'pass', output: 'masked' }]),
      decoded.value,
    )
    expect(parse(stdout).systemMessage).toContain('The output of Read was not replaced')
  })

  it('an allowed worktree gets no output, because any output would be its path', () => {
    expect(bytes('WorktreeCreate', { notices: ['x'] })).toEqual({ stdout: '', stderr: '', exitCode: 0 })
  })
})
