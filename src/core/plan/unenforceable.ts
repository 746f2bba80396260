import type { EventKind } from '../event.ts'
import type { Hook } from '../hook.ts'
import type { Host, HostLimit } from '../host.ts'
import { ruleRunOf } from '../rule.ts'

/** Rules of a plan that a host cannot enforce, and what happens there instead. */
export interface Unenforceable {
  readonly hooks: readonly string[]
  /** One sentence: what cannot be enforced. */
  readonly says: string
  /** A stricter rule that can be enforced, if there is one. */
  readonly instead?: string
}

type Facts = Pick<Host, 'title' | 'events' | 'limits' | 'notProved'>

/** Which hooks of this plan a host does not obey, reported before it matters. */
export function unenforceable(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  return [
    ...unseenEver(hooks, host),
    ...neverCalled(hooks, host),
    ...notHeld(hooks, host),
    ...asked(hooks, host),
    ...unheard(hooks, host),
    ...rewritten(hooks, host),
    ...limited(hooks, host),
  ]
}

/** A table that was never tried is a guess for every rule. */
function unseenEver(hooks: readonly Hook[], { title, notProved }: Facts): readonly Unenforceable[] {
  const ids = idsOf(hooks)
  if (notProved !== true || ids.length === 0) return []
  const says = `${title} is not proved: it was never seen to obey a hook. This concerns ${listed(ids)}.`
  return [{ hooks: ids, says }]
}

/** Without the event nothing starts the hook. */
function neverCalled(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  return byKind(hooks, (kind) => RULES_AT.has(kind) && host.events[kind] === undefined).map(
    ([kind, ids]) => ({
      hooks: ids,
      says: `${host.title} has no event ${kind}, so these never run: ${listed(ids)}.`,
    }),
  )
}

/** The events at which a hook is there to stop something. */
const GATES: ReadonlySet<EventKind> = new Set<EventKind>(['UserPromptSubmit', 'Stop', 'SubagentStop'])
/** Other events belong to one agent only, or can only be observed. */
const RULES_AT: ReadonlySet<EventKind> = new Set<EventKind>([...GATES, 'PreToolUse', 'PostToolUse'])

function notHeld(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  return byKind(hooks, (kind) => GATES.has(kind) && host.events[kind]?.deny === false).map(([kind, ids]) => ({
    hooks: ids,
    says: `${host.title} cannot be stopped at ${kind}: these can only notify, ${listed(ids)}.`,
  }))
}

/** A rule states that it asks. For other hooks that is unknown before they answer. */
function asked(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  const before = host.events.PreToolUse
  if (before === undefined || before.ask !== false) return []
  const ids = idsOf(hooks.filter((hook) => hook.on === 'PreToolUse' && asks(hook)))
  if (ids.length === 0) return []
  return [{ hooks: ids, says: `${host.title} does not stop to ask: the call is denied by ${listed(ids)}.` }]
}

function asks({ run }: Hook): boolean {
  return ruleRunOf(run)?.outcome.ask !== undefined
}

/** Events at which hooks give context to the model. */
const TELLS: ReadonlySet<EventKind> = new Set<EventKind>(['SessionStart', 'SubagentStart'])

function unheard(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  return byKind(hooks, (kind) => TELLS.has(kind) && host.events[kind]?.context !== true).map(
    ([kind, ids]) => ({
      hooks: ids,
      says: `${host.title} passes no text on at ${kind}: the model does not read what these say, ${listed(ids)}.`,
    }),
  )
}

function rewritten(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  if (host.events.PreToolUse === undefined || host.events.PreToolUse.rewrite !== false) return []
  const ids = idsOf(hooks.filter((hook) => hook.on === 'PreToolUse' && hook.rewrites))
  if (ids.length === 0) return []
  return [
    {
      hooks: ids,
      says: `${host.title} takes no changed input: the call is denied with the suggested input by ${listed(ids)}.`,
    },
  ]
}

function limited(hooks: readonly Hook[], host: Facts): readonly Unenforceable[] {
  return (host.limits ?? []).flatMap((limit) => {
    const ids = idsOf(hooks.filter(CONCERNED[limit.kind] ?? (() => false)))
    if (ids.length === 0) return []
    const says = `${host.title}: ${limit.says} This concerns ${listed(ids)}.`
    return [{ hooks: ids, says, ...(limit.instead === undefined ? {} : { instead: limit.instead }) }]
  })
}

/** Which hooks a limit of a kind concerns; of the other kinds it concerns every hook alike. */
const CONCERNED: Readonly<Partial<Record<HostLimit['kind'], (hook: Hook) => boolean>>> = {
  unseen: ({ on }) => on === 'PreToolUse',
  identity: ({ actor }) => [actor.role, actor.agentType, actor.skill].some((part) => part !== undefined),
  stop: ({ on }) => on === 'Stop' || on === 'SubagentStop',
}

function byKind(
  hooks: readonly Hook[],
  isConcerned: (kind: EventKind) => boolean,
): readonly (readonly [EventKind, readonly string[]])[] {
  const kinds = [...new Set(hooks.map(({ on }) => on))].filter(isConcerned)
  return kinds.map((kind) => [kind, idsOf(hooks.filter(({ on }) => on === kind))])
}

function idsOf(hooks: readonly Hook[]): readonly string[] {
  return [...new Set(hooks.map(({ id }) => id))].sort()
}

const LISTED_MAX = 3

function listed(ids: readonly string[]): string {
  const more = ids.length - LISTED_MAX
  const names = ids.slice(0, LISTED_MAX).join(', ')
  return more > 0 ? `${names} and ${more} more` : names
}
