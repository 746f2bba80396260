import { textAt } from '../../json.ts'
import type { Handler, HandlerTools } from '../handler.ts'
import { readAnswerOf } from '../returned.ts'

/** Runs a function of the program Holdpoint is embedded in. Sync functions stay sync. */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'callable',
    prepare(hook) {
      const name = textAt(hook.run, 'name') ?? ''
      const callable = tools.callable(name)
      if (callable === undefined)
        return { failure: 'import', message: `no function is registered as ${name}` }
      return (call) => readAnswerOf(callable(call.event, call))
    },
  }
}
