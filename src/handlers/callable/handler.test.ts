import type { Callable } from '../../core/handler.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

const functions: Readonly<Record<string, Callable>> = {
  denies: () => ({ decision: 'block', reason: 'not now' }),
  passes: async () => undefined,
  breaks: () => {
    throw new Error('broken')
  },
  invalidOutput: () => 42,
}

const hook = (name: string) => hookOf({ run: { type: 'callable', name } })

handlerContract({
  handler: create({
    guard: () => undefined,
    callable: (name) => functions[name],
    searchPath: (path) => path,
  }),
  denies: hook('denies'),
  passes: hook('passes'),
  breaks: hook('breaks'),
  invalidOutput: hook('invalidOutput'),
  missing: hook('nowhere'),
})
