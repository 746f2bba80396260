import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as library from './index.ts'

it('exports these functions and values, and none of the engine', () => {
  expect(Object.keys(library).sort()).toEqual([
    'ERRORS',
    'EVENT_KINDS',
    'HoldpointError',
    'VERSION',
    'createFileState',
    'createMemoryState',
    'createRuntime',
    'defineGuard',
    'defineHook',
    'definePack',
    'describeProblem',
  ])
})

it('exports types of hooks, events, decisions and packs, and none of plans, layers or hosts', () => {
  const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8')
  const internal =
    /\b(?:Engine|RunContext|Plan|Layer|HookEntry|PackEntry|Host|HostRequest|Abilities|Responder|Source)\b/
  expect(source).not.toMatch(internal)
})
