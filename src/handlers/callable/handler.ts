import type { Handler, HandlerTools } from '../../core/handler.ts'
import { textAt } from '../../core/json.ts'
import { readAnswerOf, type Speaker } from '../read-answer.ts'
import { PROTOCOLS } from '../spelling.ts'

/** Runs a function of the program Holdpoint is embedded in. Sync functions stay sync. */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'callable',
    prepare(hook) {
      const name = textAt(hook.run, 'name') ?? ''
      const callable = tools.callable(name)
      if (callable === undefined)
        return { failure: 'import', message: `no function is registered as ${name}` }
      const protocol = PROTOCOLS.find((known) => known === hook.run.protocol)
      const speaker: Speaker = { kind: 'function', ...(protocol === undefined ? {} : { protocol }) }
      return (call) => readAnswerOf(callable(call.event, call), speaker)
    },
  }
}
