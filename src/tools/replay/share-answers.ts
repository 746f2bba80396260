import { isDeepStrictEqual } from 'node:util'
import { loadPacks } from '../../config/compile.ts'
import type { Actor } from '../../core/actor.ts'
import type { Answer, Failure } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import { guardRunOf } from '../../core/guard-run.ts'
import type { Runner } from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import { handlerKind } from '../../handlers/kind-of.ts'
import type { PurePlan } from '../history/without-programs.ts'

type Outcome = Answer | Failure | null | Promise<Answer | Failure | null>

/** What a hook of the first plan answered to the event that is decided now. */
interface Given {
  event: Event | undefined
  memory: JsonObject | undefined
  actor: Actor | undefined
  outcome: Outcome
  /** The last event that the hook was asked about, and whether it concerns the hook. */
  asked: Event | undefined
  concerned: boolean
}

/**
 * Two plans that are mostly the same, for deciding each event with both: a hook that both have, word for word, answers the
 * second time as it did the first, if it is given the same. So two policies cost little more than one.
 */
export async function shareAnswers(
  first: PurePlan,
  second: PurePlan,
): Promise<{ readonly first: PurePlan; readonly second: PurePlan }> {
  const mayShare = await sharable()
  const places = new Map<string, number>()
  for (const [index, hook] of first.engine.hooks.entries())
    if (mayShare(hook)) places.set(specOf(hook), index)
  const given = new Map<number, Given>()
  const isSameActor = compareOnce()
  const own = first.engine.runners.map((runner, index): Runner | Failure => {
    if (typeof runner !== 'function') return runner
    const last: Given = { ...NOTHING_GIVEN }
    given.set(index, last)
    const noting: Runner = (call) => {
      last.outcome = runner(call)
      last.event = call.event
      last.memory = call.memory
      last.actor = call.actor
      return last.outcome
    }
    const { concerns } = runner
    if (concerns !== undefined)
      noting.concerns = (event, facts) => {
        last.asked = event
        last.concerned = concerns(event, facts)
        return last.concerned
      }
    return noting
  })
  const others = second.engine.runners.map((runner, index): Runner | Failure => {
    const hook = second.engine.hooks[index]
    const place = hook === undefined ? undefined : places.get(specOf(hook))
    const last = place === undefined ? undefined : given.get(place)
    if (typeof runner !== 'function' || last === undefined) return runner
    const reusing: Runner = (call) => {
      const isSame =
        last.event === call.event && same(last.memory, call.memory) && isSameActor(last.actor, call.actor)
      return isSame ? last.outcome : runner(call)
    }
    const { concerns } = runner
    if (concerns !== undefined)
      reusing.concerns = (event, facts) => (last.asked === event ? last.concerned : concerns(event, facts))
    return reusing
  })
  return {
    first: { ...first, engine: { ...first.engine, runners: own } },
    second: { ...second, engine: { ...second.engine, runners: others } },
  }
}

const NOTHING_GIVEN: Given = {
  ...{ event: undefined, memory: undefined, actor: undefined, outcome: null },
  ...{ asked: undefined, concerned: false },
}

/** All hooks of one event have the same two actors, so they are compared once. */
function compareOnce(): typeof same {
  let [first, second, isSame]: [object | undefined, object | undefined, boolean] = [{}, {}, false]
  return (a, b) => {
    if (a !== first || b !== second) [first, second, isSame] = [a, b, same(a, b)]
    return isSame
  }
}

function same(a: object | undefined, b: object | undefined): boolean {
  return a === b || isDeepStrictEqual(a, b)
}

/** Where a hook was written makes no difference to what it answers. */
function specOf({ origin, rank, ...spec }: Hook): string {
  return JSON.stringify(spec)
}

/** Rules and guards depend on what they are given; a guard that looks at other agents depends on more than that. */
async function sharable(): Promise<(hook: Hook) => boolean> {
  const guards = [...(await loadPacks()).values()].flatMap((pack) => pack.guards)
  const looking = new Set(guards.filter(({ knowsAgents }) => knowsAgents === true).map(({ id }) => id))
  return ({ run }) => handlerKind(run).isPure === true && !looking.has(guardRunOf(run)?.guard ?? '')
}
