import { describe, expect, it } from 'vitest'
import type { Event } from '../../core/event.ts'
import type { CallOutcome } from '../../core/transcript.ts'
import { createCallDecider } from '../history/decide-call.ts'
import type { PurePlan } from '../history/without-programs.ts'
import { policyAlone } from '../replay/policy-alone.ts'
import { addFragment, completeFragment } from './add-fragment.ts'
import { addEvidence, emptyHistory, type History } from './evidence.ts'
import { type Proposal, proposalsFor } from './proposals.ts'

type Outcome = Pick<CallOutcome, 'outcome' | 'by'>
const RAN: Outcome = { outcome: 'ran' }
const REFUSED: Outcome = { outcome: 'refused', by: 'person' }

async function planOf(text?: string): Promise<PurePlan> {
  const made = await policyAlone(text, '/home/dev')
  if (!made.ok) throw new Error(made.problem.message)
  return made.value.plan
}

interface Calls {
  readonly command: string
  readonly times: number
  readonly sessions: number
  readonly outcome: Outcome
}

async function historyOf(plan: PurePlan, calls: readonly Calls[]): Promise<History> {
  const history = emptyHistory()
  const decider = createCallDecider({ plan, home: '/home/dev', now: () => 0 })
  for (const { command, times, sessions, outcome } of calls) {
    for (let session = 0; session < sessions; session += 1) {
      const seen = new Set<string>()
      history.sessions += 1
      for (let n = session; n < times; n += sessions) {
        const base = {
          host: 'claude-code',
          name: 'PreToolUse',
          session: `s${session}`,
          cwd: '/srv/project',
          raw: {},
        }
        const event: Event = { ...base, kind: 'PreToolUse', tool: { name: 'Bash', input: { command } } }
        const verdict = await decider.decide(event, '/srv/project', new Date(0))
        addEvidence(history, event, verdict, outcome, seen, command)
      }
    }
  }
  return history
}

async function proposals(calls: readonly Calls[], policy?: string): Promise<readonly Proposal[]> {
  const plan = await planOf(policy)
  return proposalsFor(await historyOf(plan, calls), plan.plan)
}

const ASKED = 'rm -rf ~/important'
const DENIED = 'git push --force origin main'

describe('what is suggested', () => {
  it('is a warning for a guard whose every question was approved', async () => {
    expect(await proposals([{ command: ASKED, times: 6, sessions: 3, outcome: RAN }])).toMatchObject([
      {
        id: 'warn-safety-files-delete-outside',
        config: { packs: { safety: { guards: { 'safety/files/delete-outside': 'warn' } } } },
        test: { command: ASKED, expect: 'warn' },
      },
    ])
  })

  it('is a rule for a command that a person refused every time, with a test that holds', async () => {
    const [proposal] = await proposals([
      { command: 'terraform apply prod', times: 5, sessions: 2, outcome: REFUSED },
    ])
    expect(proposal).toMatchObject({
      id: 'no-terraform-apply',
      test: { expect: 'deny', by: 'no-terraform-apply' },
    })
    const text = addFragment('version: 1\n', proposal?.config ?? {})
    if (!text.ok) throw new Error(text.problem.message)
    const history = await historyOf(await planOf(text.value), [
      { command: 'terraform apply prod', times: 1, sessions: 1, outcome: RAN },
    ])
    expect(history.spoke.get('no-terraform-apply')).toEqual({ times: 1, decided: 1 })
  })

  it.each<[string, Calls]>([
    ['weakens a guard that denies', { command: DENIED, times: 50, sessions: 5, outcome: RAN }],
    ['rests on too few calls', { command: ASKED, times: 4, sessions: 3, outcome: RAN }],
    ['rests on one session', { command: ASKED, times: 50, sessions: 1, outcome: RAN }],
    ['goes against a person', { command: ASKED, times: 50, sessions: 5, outcome: REFUSED }],
    [
      'stops what a hook stopped',
      { command: 'make x', times: 9, sessions: 3, outcome: { outcome: 'refused', by: 'hook' } },
    ],
    ['stops what also ran', { command: 'make x', times: 9, sessions: 3, outcome: RAN }],
    [
      'is made from a line with several commands',
      { command: 'a && b', times: 9, sessions: 3, outcome: REFUSED },
    ],
  ])('never %s', async (_what, calls) => {
    expect(await proposals([calls])).toEqual([])
  })

  it('never weakens a guard that the project made deny', async () => {
    const strict = 'version: 1\npacks: { safety: { guards: { safety/files/delete-outside: deny } } }\n'
    expect(await proposals([{ command: ASKED, times: 20, sessions: 4, outcome: RAN }], strict)).toEqual([])
  })
})

describe('adding a fragment', () => {
  it('keeps comments and order, and continues what is there', () => {
    const text =
      '# ours\nversion: 1\npacks:\n  safety: true # on\n  secrets: true\nrules:\n  - { id: a, match: Bash, deny: x }\n'
    const added = addFragment(text, {
      packs: { safety: { guards: { 'safety/x': 'warn' } } },
      rules: [{ id: 'b', match: 'Bash', deny: 'y' }],
    })
    if (!added.ok) throw new Error(added.problem.message)
    expect(added.value).toContain('# ours')
    expect(added.value).toContain('safety/x: warn')
    expect(added.value.indexOf('id: a')).toBeLessThan(added.value.indexOf('id: b'))
    expect(added.value).toContain('secrets: true')
  })

  it('names the default packs where a file named none, so that none is lost', () => {
    const fragment = { packs: { safety: { guards: { g: 'warn' } } } }
    expect(completeFragment('version: 1\n', fragment)).toEqual({
      packs: { safety: { guards: { g: 'warn' } }, secrets: true },
    })
    expect(completeFragment('packs: { safety: true }', fragment)).toEqual(fragment)
  })

  it.each(['version: [', '- a', 'x'])('refuses a file that is not a configuration: %j', (text) => {
    expect(addFragment(text, { rules: [] }).ok).toBe(false)
  })

  it('begins a file that is not there', () => {
    expect(addFragment(undefined, { rules: [{ id: 'a' }] })).toEqual({
      ok: true,
      value: 'version: 1\nrules:\n  - id: a\n',
    })
  })
})
