import { guardRunOf } from '../../core/guard-run.ts'
import type { Hook } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Plan } from '../../core/plan/plan.ts'
import { isWrittenRule, ruleRunOf } from '../../core/rule.ts'
import { OWN_RANKS } from '../policy-tests/mutants.ts'
import type { History } from './evidence.ts'

/** The least evidence for a proposal. Stated in every report. */
export const LEAST = { times: 5, sessions: 2 } as const

export interface Proposal {
  readonly id: string
  readonly why: string
  /** What to add to `.holdpoint/config.yaml`. Missing: there is nothing to add, only to look at. */
  readonly config?: JsonObject
  /** A case for `.holdpoint/tests`. */
  readonly test?: JsonObject
}

/** What history suggests. Nothing here weakens a guard that denies, or a rule. */
export function proposalsFor(history: History, plan: Plan): readonly Proposal[] {
  return [...quieter(history, plan), ...stricter(history), ...idle(history, plan)]
}

/** A guard that only asks, and whose every question was answered with yes. */
function quieter(history: History, plan: Plan): readonly Proposal[] {
  return [...history.asked].flatMap(([guard, { times, sessions, ran, example }]): readonly Proposal[] => {
    const hooks = plan.hooks.filter(({ id }) => id === guard)
    const asksOnly = hooks.length > 0 && hooks.every(({ run }) => guardRunOf(run)?.mode === 'ask')
    if (!asksOnly || times < LEAST.times || sessions < LEAST.sessions || ran < times) return []
    const pack = String(hooks[0]?.run.pack)
    return [
      {
        id: `warn-${slug(guard)}`,
        why: `\`${guard}\` asked ${times} times in ${sessions} sessions, and every call was approved and ran. It could warn instead.`,
        config: { packs: { [pack]: { guards: { [guard]: 'warn' } } } },
        test: { name: `${guard} only warns`, ...callOf(example), expect: 'warn' },
      },
    ]
  })
}

/** A command that people refused every time, and that the policy lets through. */
function stricter(history: History): readonly Proposal[] {
  return [...history.passed].flatMap(([kind, entry]): readonly Proposal[] => {
    const { times, sessions, ran, refusedByPerson, example } = entry
    if (refusedByPerson < LEAST.times || sessions < LEAST.sessions || ran > 0 || refusedByPerson < times)
      return []
    const [command = '', subcommand] = kind.split(' ')
    const shell = { command, ...(subcommand === undefined ? {} : { subcommand }) }
    const id = `no-${slug(kind)}`
    return [
      {
        id,
        why: `\`${kind}\` was tried ${times} times in ${sessions} sessions, and a person refused it every time.`,
        config: {
          rules: [
            {
              id,
              match: 'Bash',
              when: { shell },
              deny: `Do not run \`${kind}\`. The user refuses it every time.`,
            },
          ],
        },
        test: { name: `${kind} is denied`, command: example, expect: 'deny', by: id },
      },
    ]
  })
}

/** Rules of the project that had no effect on anything that happened. */
function idle({ spoke, events, sessions }: History, plan: Plan): readonly Proposal[] {
  if (sessions < LEAST.sessions) return []
  const own = plan.hooks.filter((hook) => OWN_RANKS.has(hook.rank) && isRule(hook))
  return [...new Map(own.map((hook) => [hook.id, hook])).values()].flatMap((hook): readonly Proposal[] => {
    const known = spoke.get(hook.id)
    const place = `${hook.origin.file}${hook.origin.line === undefined ? '' : `:${hook.origin.line}`}`
    if (hook.match.subject?.kind === 'never') {
      return [{ id: `dead-${slug(hook.id)}`, why: `The rule \`${hook.id}\` can never match (${place}).` }]
    }
    if (known === undefined) {
      const why = `The rule \`${hook.id}\` had nothing to say to ${events} events of ${sessions} sessions (${place}). \`holdpoint test --coverage\` shows whether a test exercises it.`
      return [{ id: `idle-${slug(hook.id)}`, why }]
    }
    if (known.decided > 0 || !isStrict(hook)) return []
    const why = `The rule \`${hook.id}\` spoke ${known.times} times, and another hook decided every time (${place}).`
    return [{ id: `shadowed-${slug(hook.id)}`, why }]
  })
}

function isRule({ run }: Hook): boolean {
  return isWrittenRule(run)
}

function isStrict({ run }: Hook): boolean {
  const { deny, ask } = ruleRunOf(run)?.outcome ?? {}
  return deny !== undefined || ask !== undefined
}

function callOf(example: string): JsonObject {
  return { command: example }
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
