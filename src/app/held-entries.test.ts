import { describe, expect, it } from 'vitest'
import { parseConfig } from '../config/read-layer.ts'
import type { Decision } from '../core/decision.ts'
import type { Event } from '../core/event.ts'
import { buildPlan } from '../handlers/plan.ts'
import { bash, eventOf, frozenFacts, toolCall } from '../library/testing/events.ts'
import { createEngine } from './create-engine.ts'
import { rehearse } from './rehearse.ts'

const FILE = '/srv/project/.holdpoint/config.yaml'

async function decide(yaml: string, event: Event, trusted = true): Promise<Decision> {
  const file = { path: FILE, rank: 'project', trusted, root: '/srv/project' } as const
  const layer = await parseConfig(`version: 1\n${yaml}`, file, 'holdpoint-yaml')
  if (!layer.ok) throw new Error(layer.problem.message)
  const plan = buildPlan([layer.value], new Map())
  expect(plan.problems.some(({ severity }) => severity !== 'warning')).toBe(true)
  const loaded = { plan, engine: await createEngine(plan), maskers: [], broken: [] }
  const facts = frozenFacts({ cwd: '/srv/project', project: '/srv/project' })
  return (await rehearse(loaded, event, { facts, skills: [] })).decision
}

const effectOf = async (yaml: string, event: Event, trusted = true) =>
  (await decide(yaml, event, trusted)).effect

const LS = bash('ls')
const READ = toolCall('Read', { file_path: '/srv/project/a.txt' })
const EDIT_CONFIG = toolCall('Edit', { file_path: FILE, old_string: 'wehn', new_string: 'when' })

describe('a rule that cannot be read', () => {
  it.each([
    [
      'a misspelled key',
      'rules: [{ id: x, match: Bash, wehn: { branch: main }, deny: No. }]',
      'deny',
      'pass',
    ],
    ['an ask', 'rules: [{ id: x, match: Bash, wehn: { branch: main }, ask: Sure? }]', 'ask', 'pass'],
    ['a misspelled deny', 'rules: [{ id: x, match: Bash, dney: No. }]', 'deny', 'pass'],
    ['a misspelled ask', 'rules: [{ id: x, match: Bash, aks: Sure? }]', 'ask', 'pass'],
    ['no outcome', 'rules: [{ id: x, match: Bash }]', 'deny', 'pass'],
    ['deny and ask', 'rules: [{ id: x, match: Bash, deny: a, ask: b }]', 'deny', 'pass'],
    ['a rewrite', 'rules: [{ id: x, match: Bash, rewrite: 3 }]', 'deny', 'pass'],
    ['only a warning', 'rules: [{ id: x, match: Bash, wehn: {}, warn: Hm. }]', 'pass', 'pass'],
    [
      'an event that does not exist',
      'rules: [{ id: x, on: PreTolUse, match: Bash, deny: a }]',
      'deny',
      'pass',
    ],
    ['an unreadable match', 'rules: [{ id: x, match: "(", deny: a }]', 'deny', 'deny'],
    ['a misspelled match', 'rules: [{ id: x, mach: Bash, deny: a }]', 'deny', 'deny'],
    ['no mapping at all', 'rules: [no force push]', 'deny', 'deny'],
    ['a list without dashes', 'rules: { id: x, match: Bash, deny: a }', 'deny', 'pass'],
    ['a misspelled section', 'ruels: [{ id: x, match: Bash, deny: a }]', 'deny', 'pass'],
    ['an empty item', 'rules: [null]', 'pass', 'pass'],
  ])('stops calls: %s', async (_, yaml, shell, read) => {
    expect(await effectOf(yaml, LS)).toBe(shell)
    expect(await effectOf(yaml, READ)).toBe(read)
    // Files that are not trusted can deny and ask as well.
    expect(await effectOf(yaml, LS, false)).toBe(shell)
  })

  it('names its file, line and key, and counts as a failure', async () => {
    const decision = await decide('rules:\n  - id: no-push\n    wehn: {}\n    deny: No.\n', LS)
    expect(decision.reasons[0]?.text).toContain(`${FILE}:4 rules[0].wehn: \`wehn\` is not a key here.`)
    expect(decision.failed).toMatchObject([{ hook: 'no-push', failure: { failure: 'validation' } }])
  })

  it('lets the user correct the file: only an edit of that file asks', async () => {
    const yaml = 'rules: [{ id: x, match: "(", deny: a }]'
    expect(await effectOf(yaml, EDIT_CONFIG)).toBe('ask')
    expect(await effectOf(yaml, toolCall('Read', { file_path: FILE }))).toBe('ask')
    expect(await effectOf(yaml, toolCall('Edit', { file_path: `${FILE}.old` }))).toBe('deny')
    expect(await effectOf(yaml, bash(`echo > ${FILE}`))).toBe('deny')
    expect(await effectOf(yaml, bash('rm -rf /'))).toBe('deny')
    expect(await effectOf(yaml, toolCall('Edit', {}))).toBe('deny')
  })
})

describe('a hook that cannot be read', () => {
  const hook = (more: string, event = 'PreToolUse') =>
    `hooks:\n  ${event}:\n    - { match: Bash, run: x, timeuotMs: 5${more} }\n`

  it.each([
    ['no onFailure, before an act', hook(''), 'deny'],
    ['onFailure: deny', hook(', onFailure: deny'), 'deny'],
    ['onFailure: ask', hook(', onFailure: ask'), 'ask'],
    ['onFailure: pass', hook(', onFailure: pass'), 'pass'],
    ['a retry', hook(', onFailure: { retry: 1, then: ask }'), 'ask'],
    ['a preset', hook(', onFailure: scratchpad'), 'pass'],
    ['an onFailure that cannot be read', hook(', onFailure: blok'), 'deny'],
    ['a misspelled event', hook('', 'PreTolUse'), 'deny'],
    ['an event of another program', hook('', 'BeforeTool'), 'deny'],
    ['a misspelled section', hook('').replace('hooks', 'hoks'), 'deny'],
    ['no list', 'hooks: { PreToolUse: ./check.sh }', 'deny'],
    ['hooks as a list', 'hooks: [{ match: Bash, run: ./check.sh }]', 'deny'],
    ['an event that does not stop by default', hook('', 'PostToolUse'), 'pass'],
  ])('applies its failure policy: %s', async (_, yaml, effect) => {
    expect(await effectOf(yaml, LS)).toBe(effect)
  })

  it('of an untrusted file does not stop the work, because it would not have run', async () => {
    const decision = await decide(hook(''), LS, false)
    expect(decision).toMatchObject({ effect: 'pass', failed: [{ failure: { failure: 'untrusted' } }] })
  })

  it('applies at its own event', async () => {
    const prompt = eventOf('UserPromptSubmit', { prompt: 'hello' })
    expect(await effectOf('hooks: { UserPromptSubmit: [{ rnu: x }] }', prompt)).toBe('deny')
    expect(await effectOf('hooks: { UserPromptSubmit: [{ rnu: x }] }', LS)).toBe('pass')
  })
})
