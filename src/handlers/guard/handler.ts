import type { Answer, Failure } from '../../decision.ts'
import { type Event, toolOf } from '../../event.ts'
import type { Hook } from '../../hook.ts'
import { isObject, type JsonObject, textAt } from '../../json.ts'
import { type Caught, type Guard, isCaught, MODES, type Mode } from '../../packs/guard.ts'
import type { Handler, HandlerTools } from '../handler.ts'

/** Runs a built-in guard and puts what it caught into words, for the agent and for the person. */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'guard',
    prepare(hook) {
      const id = textAt(hook.run, 'guard') ?? ''
      const guard = tools.guard(id)
      if (guard === undefined) return { failure: 'import', message: `there is no guard ${id}` }
      const options: JsonObject = isObject(hook.run.options) ? hook.run.options : {}
      const modes = { certain: modeAt(hook, 'mode'), unsure: modeAt(hook, 'unsure') }
      return (call): Answer | Failure | null | Promise<Answer | Failure | null> => {
        if (skippedByKeywords(guard, call.event)) return null
        const outcome = guard.check({
          event: call.event,
          actor: call.actor,
          facts: call.facts,
          options,
          memory: call.memory,
        })
        return outcome instanceof Promise
          ? outcome.then((settled) => answerOf(guard, settled, modes))
          : answerOf(guard, outcome, modes)
      }
    },
  }
}

interface Modes {
  readonly certain: Mode
  readonly unsure: Mode
}

function modeAt(hook: Hook, key: 'mode' | 'unsure'): Mode {
  return MODES.find((mode) => mode === hook.run[key]) ?? 'deny'
}

/**
 * Words may be taken as written only where the shell would: one quote, expansion or escape and the guard reads
 * the command itself.
 */
const PLAIN = /^[\w\s./:=@%+,~^&|;<>()-]*$/

function skippedByKeywords(guard: Guard, event: Event): boolean {
  if (guard.keywords === undefined) return false
  const command = toolOf(event)?.input.command
  if (typeof command !== 'string' || !PLAIN.test(command)) return false
  return !guard.keywords.some((word) => command.includes(word))
}

function answerOf(guard: Guard, outcome: Caught | Answer | null, modes: Modes): Answer | null {
  if (outcome === null || !isCaught(outcome)) return outcome
  // An unsure catch is never stricter than a certain one, whatever the level says.
  const asked = outcome.unsure === undefined ? modes.certain : modes.unsure
  const mode = MODES.indexOf(asked) > MODES.indexOf(modes.certain) ? modes.certain : asked
  if (mode === 'off') return null
  const text = reasonFor(guard, outcome)
  const detail = {
    ...outcome.detail,
    ...(outcome.fragment === undefined ? {} : { fragment: outcome.fragment }),
  }
  if (mode === 'warn') return { effect: 'pass', guard: guard.id, notices: [text], detail }
  return { effect: mode, guard: guard.id, reason: text, detail }
}

function reasonFor(guard: Guard, caught: Caught): string {
  const fragment = caught.fragment === undefined ? '' : ` (\`${shorten(caught.fragment)}\`)`
  const what =
    caught.unsure === undefined
      ? `${guard.title}: this ${caught.caught}${fragment}.`
      : `${guard.title}: this ${caught.caught}${fragment}, and that cannot be ruled out: ${caught.unsure}.`
  return `${what} ${guard.why} Instead: ${guard.instead} Do not retry it in another spelling.`
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
