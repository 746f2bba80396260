import type { Answer, Failure } from '../../core/decision.ts'
import type { GuardMatch } from '../../core/guard.ts'
import { type HandlerCall, type HandlerTools, onStopOf } from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { moduleRunner } from '../../system/modules/run-module.ts'
import { placeForModules } from '../module-place.ts'

type Outcome = GuardMatch | Answer | Failure | null

/** Asks a guard whose pack is a module or a package. Its process loads no other pack. */
export function otherProcess(
  { run }: Hook,
  knowsAgents: boolean,
  tools: HandlerTools,
): (call: HandlerCall, options: JsonObject) => Promise<Outcome> {
  const from = isObject(run.from) ? run.from : {}
  const [module, root, guard] = [
    textAt(from, 'module') ?? '',
    textAt(from, 'root') ?? '/',
    textAt(run, 'guard') ?? '',
  ]
  const ask = moduleRunner(module)
  return async (call, options) => {
    const { event, actor, facts, memory } = call
    const { cwd, home, project, env } = facts
    const agents = knowsAgents ? call.agents?.() : undefined
    const context = {
      ...{ cwd, home, project, env, actor, options },
      ...(memory === undefined ? {} : { memory }),
      ...(agents === undefined ? {} : { agents }),
    }
    const outcome = await ask(
      {
        // Only the guards of one pack share a process.
        group: `pack ${root} ${module}`,
        root,
        place: placeForModules(facts, root, tools),
        ask: {
          pack: { kind: 'check', guard },
          event: event as unknown as JsonObject,
          shared: context as unknown as JsonObject,
          own: {},
        },
      },
      onStopOf(call),
    )
    const read = 'answer' in outcome ? readOutcome(outcome.answer) : outcome
    return read !== null && 'failure' in read ? { ...read, message: `${module}: ${read.message}` } : read
  }
}

/** A guard of others may stop a call, or have no opinion. Everything else is a failure, which denies. */
function readOutcome(answer: Json): Outcome {
  if (answer === null) return null
  const invalid = (message: string): Failure => ({ failure: 'invalidOutput', message })
  if (!isObject(answer)) return invalid('its guard answered with something that is not `{ caught }` or null')
  const unknown = Object.keys(answer).find((key) => !KEYS.has(key))
  if (unknown !== undefined)
    return invalid(`its guard answered with \`${unknown.slice(0, 60)}\`, which is unknown`)
  const { effect, detail } = answer
  if (effect === 'allow') return invalid('its guard answered `allow`; a guard of a pack may only stop calls')
  const texts = ['caught', 'fragment', 'unsure', 'reason'].filter((key) => answer[key] !== undefined)
  const wrong = texts.find((key) => textAt(answer, key) === undefined)
  if (wrong !== undefined) return invalid(`its guard answered with a \`${wrong}\` that is not a text`)
  if (detail !== undefined && !isObject(detail))
    return invalid('its guard answered with a `detail` that is not a mapping')
  if (effect === undefined && answer.caught !== undefined) return answer as unknown as GuardMatch
  const isAnswer = effect === 'deny' || effect === 'ask' || effect === 'pass'
  return isAnswer && answer.caught === undefined
    ? (answer as unknown as Answer)
    : invalid('its guard answered neither what it `caught` nor an `effect`')
}

const KEYS = new Set(['caught', 'fragment', 'unsure', 'detail', 'effect', 'reason'])
