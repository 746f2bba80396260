import { describe, expect, it } from 'vitest'
import type { LoadedPlan } from '../../app/load-plan.ts'
import type { Callable } from '../../core/handler.ts'
import type { JsonObject } from '../../core/json.ts'
import { type CallableHook, engineOf } from '../../library/testing/hooks.ts'
import { unexercised } from './coverage.ts'
import { readTestFile } from './read-file.ts'
import { type CaseResult, runCase } from './run-case.ts'

const PROJECT = '/srv/project'

async function planWith(...hooks: readonly (Callable | CallableHook)[]): Promise<LoadedPlan> {
  const made = hooks.map((hook, i): CallableHook => {
    const more = typeof hook === 'function' ? { run: hook } : hook
    return { id: `rule-${i}`, rank: 'project', ...more }
  })
  return { ...(await engineOf(made)), maskers: [], broken: [] }
}

async function run(loaded: LoadedPlan, inner: string, env = {}): Promise<CaseResult> {
  const [test] = readTestFile(`cases:\n  - { name: case, ${inner} }\n`, 'a.yaml')
  if (test === undefined) throw new Error('no case')
  return runCase(test, { loaded, project: PROJECT, home: '/home/dev', env })
}

const denies: Callable = () => ({ effect: 'deny', reason: 'not here' })
const passes: Callable = () => undefined
const warns: Callable = () => ({ effect: 'pass', notices: ['careful'] })
const breaks: Callable = () => {
  throw new Error('boom')
}

describe('a case', () => {
  it.each<[string, readonly (Callable | CallableHook)[], string, boolean, string?]>([
    ['a deny that is expected', [denies], 'expect: deny', true],
    ['an unexpected deny', [denies], 'expect: pass', false, 'expected pass, got deny by rule-0'],
    ['a pass', [passes], 'expect: pass', true],
    ['a pass instead of a deny', [passes], 'expect: deny', false, 'expected deny, got pass'],
    ['a warning', [warns], 'expect: warn', true],
    ['a warning is not a plain pass', [warns], 'expect: pass', false, 'expected pass, got warn by rule-0'],
    ['a question', [() => ({ effect: 'ask', reason: 'sure?' })], 'expect: ask', true],
    ['a grant', [{ run: () => ({ effect: 'allow' }), grants: true }], 'expect: allow', true],
    ['a deny by the named rule', [denies], 'expect: deny, by: rule-0', true],
    [
      'a deny by another rule',
      [denies, passes],
      'expect: deny, by: rule-1',
      false,
      'expected the decision to be by rule-1, but it was by rule-0',
    ],
    ['a warning by the named rule', [passes, warns], 'expect: warn, by: rule-1', true],
    [
      'a guard inside a hook',
      [() => ({ effect: 'deny', reason: 'x', guard: 'p/g' })],
      'expect: deny, by: p/g',
      true,
    ],
    ['a part of the reason', [denies], 'expect: deny, reason: not he', true],
    ['another reason', [denies], 'expect: deny, reason: nowhere', false, 'but it is "not here"'],
    ['a part of a warning', [warns], 'expect: warn, reason: care', true],
    [
      'a text for the agent',
      [() => ({ effect: 'pass', context: [{ text: 'hint', to: 'self' }] })],
      'expect: pass, reason: hint',
      true,
    ],
    [
      'a deny only because a hook failed proves nothing',
      [breaks],
      'expect: deny',
      false,
      'got deny only because rule-0 failed (crash: boom)',
    ],
    [
      'a pass next to a failed hook proves nothing',
      [{ run: breaks, onFailure: 'pass' }],
      'expect: pass',
      false,
      'got pass only because rule-0',
    ],
    [
      'a warning about a failed hook does not count as a warning',
      [{ run: breaks, onFailure: 'pass' }],
      'expect: warn',
      false,
    ],
    ['a deny next to a failed hook is a deny', [breaks, denies], 'expect: deny, by: rule-1', true],
  ])('%s', async (_name, hooks, expectation, ok, difference) => {
    const result = await run(await planWith(...hooks), `command: ls, ${expectation}`)
    expect(result.ok).toBe(ok)
    if (difference !== undefined) expect(result.differences.join(' ')).toContain(difference)
  })

  it('means the same as a call in a session: tool, input, event, actor', async () => {
    const seen: JsonObject[] = []
    const loaded = await planWith((event, { actor }) => {
      const { kind, cwd } = event
      const { role, agentType = '', skills } = actor
      seen.push({ kind, cwd, tool: 'tool' in event ? event.tool.name : '', role, agentType, skills })
    })
    await run(loaded, 'command: ls, expect: pass')
    await run(
      loaded,
      'tool: Write, input: { file_path: a }, actor: { agentType: worker, skill: [a, b] }, expect: pass',
    )
    await run(
      loaded,
      'tool: Read, input: { file_path: a }, actor: { agentType: lead, role: main }, expect: pass',
    )
    await run(loaded, 'event: { tool_name: Glob, tool_input: {}, cwd: src }, expect: pass')
    expect(seen).toEqual([
      { kind: 'PreToolUse', cwd: PROJECT, tool: 'Bash', role: 'main', agentType: '', skills: [] },
      {
        kind: 'PreToolUse',
        cwd: PROJECT,
        tool: 'Write',
        role: 'subagent',
        agentType: 'worker',
        skills: ['a', 'b'],
      },
      { kind: 'PreToolUse', cwd: PROJECT, tool: 'Read', role: 'main', agentType: 'lead', skills: [] },
      { kind: 'PreToolUse', cwd: `${PROJECT}/src`, tool: 'Glob', role: 'main', agentType: '', skills: [] },
    ])
  })

  it('may have another event', async () => {
    const at = (on: CallableHook['on']): CallableHook => ({
      ...(on === undefined ? {} : { on }),
      run: denies,
    })
    const loaded = await planWith(at('PostToolUse'), at('UserPromptSubmit'))
    expect(
      await run(loaded, 'event: PostToolUse, tool: Bash, input: {}, output: x, expect: deny'),
    ).toMatchObject({ ok: true })
    expect(await run(loaded, 'event: UserPromptSubmit, input: { prompt: hi }, expect: deny')).toMatchObject({
      ok: true,
    })
    expect(await run(loaded, 'command: ls, expect: pass')).toMatchObject({ ok: true })
  })

  it('remembers the events before it, and leaves nothing behind', async () => {
    const loaded = await planWith((_event, { memory }) => {
      const count = Number(memory?.count ?? 0)
      if (count >= 2) return { effect: 'deny', reason: 'third time' }
      return { effect: 'pass', remember: [{ op: 'count', key: 'count', by: 1 }] }
    })
    const twice = 'before: [ { command: ls }, { command: ls } ]'
    expect(await run(loaded, `command: ls, ${twice}, expect: deny`)).toMatchObject({ ok: true })
    expect(await run(loaded, 'command: ls, before: [ { command: ls } ], expect: pass')).toMatchObject({
      ok: true,
    })
    expect(await run(loaded, `command: ls, ${twice}, expect: deny`)).toMatchObject({ ok: true })
    const other = 'before: [ { command: ls }, { command: ls, actor: { agentType: worker } } ]'
    expect(await run(loaded, `command: ls, ${other}, expect: pass`)).toMatchObject({ ok: true })
  })

  it('has the variables and the files that it names', async () => {
    const loaded = await planWith(async (_event, { facts }) => {
      const text = await facts.readText('package.json')
      const reason = JSON.stringify([
        text,
        await facts.list('src'),
        facts.branch(),
        facts.env.CI,
        facts.env.LANG,
      ])
      return { effect: 'deny', reason }
    })
    const files =
      'files: { package.json: "{}", src/a.ts: x, src/b/c.ts: y, .git/HEAD: "ref: refs/heads/topic" }'
    const { spoke } = await run(loaded, `command: ls, ${files}, env: { CI: "1" }, expect: deny`, {
      LANG: 'C',
      CI: '0',
    })
    expect(JSON.parse(spoke[0]?.reason ?? '')).toEqual(['{}', ['a.ts', 'b'], 'topic', '1', 'C'])
  })

  it('with an invalid event fails without ending the run', async () => {
    const result = await run(await planWith(passes), 'event: { hook_event_name: PreToolUse }, expect: pass')
    expect(result).toMatchObject({ ok: false, differences: [expect.stringContaining('PAYLOAD_FIELD')] })
  })
})

describe('unusedHooks', () => {
  it('lists hooks without an opinion, even if they matched', async () => {
    const loaded = await planWith(
      denies,
      { run: passes, id: 'silent' },
      { run: breaks, id: 'broken', onFailure: 'pass' },
      { run: passes, id: 'mine', rank: 'user' },
    )
    const result = await run(loaded, 'command: ls, expect: deny')
    expect(result.ok).toBe(true)
    expect(unexercised(loaded.plan, [result]).map(({ id }) => id)).toEqual(['silent', 'broken'])
  })

  it('does not list hooks that had an opinion in an earlier event', async () => {
    const loaded = await planWith((event) =>
      'tool' in event && event.tool.input.command === 'first' ? { effect: 'deny', reason: 'x' } : undefined,
    )
    const result = await run(loaded, 'command: ls, before: [ { command: first } ], expect: pass')
    expect(unexercised(loaded.plan, [result])).toEqual([])
  })
})
