import { type Answer, EFFECTS, type Failure } from '../../decision.ts'
import { isObject, textAt } from '../../json.ts'
import { readAnswer } from '../answer.ts'
import type { Handler, HandlerTools } from '../handler.ts'

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
        return isThenable(returned) ? Promise.resolve(returned).then(read) : read(returned)
      }
    },
  }
}

function read(returned: unknown): Answer | Failure | null {
  if (returned === undefined || returned === null) return null
  if (!isObject(returned) || !isPlain(returned)) {
    const seen = Array.isArray(returned) ? 'a list' : `a ${typeof returned}`
    return { failure: 'invalidOutput', message: `returned ${seen} instead of an answer object or nothing` }
  }
  const isAnswer = EFFECTS.some((effect) => effect === returned.effect)
  if (!isAnswer) return readAnswer(returned)
  const wrong = LISTS.find((key) => returned[key] !== undefined && !isListOfObjects(returned[key], key))
  if (wrong === undefined) return returned as unknown as Answer
  return { failure: 'invalidOutput', message: `\`${wrong}\` of its answer is not the list it must be` }
}

/** An Error or a Map is an object too, and says nothing. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const LISTS = ['context', 'notices', 'remember', 'rememberDenied', 'files'] as const

function isListOfObjects(value: unknown, key: string): boolean {
  if (!Array.isArray(value)) return false
  return value.every((each) => (key === 'notices' ? typeof each === 'string' : isObject(each)))
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
