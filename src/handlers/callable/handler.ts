import { textAt } from '../../json.ts'
import type { Handler, HandlerTools } from '../handler.ts'
import { readReturned } from '../returned.ts'

/** Runs a function of the program Holdpoint is embedded in. Sync functions stay sync. */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'callable',
    prepare(hook) {
      const name = textAt(hook.run, 'name') ?? ''
      const callable = tools.callable(name)
      if (callable === undefined)
        return { failure: 'import', message: `no function is registered as ${name}` }
      return (call) => {
        const returned = callable(call.event, call)
        if (returned === undefined || returned === null) return null
        return isThenable(returned) ? Promise.resolve(returned).then(readReturned) : readReturned(returned)
      }
    },
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
