import { beforeAll, describe, expect, it } from 'vitest'
import { compile } from './compile.ts'

/** Mistakes that the compiler must find in a program that uses the library, each with a correct version. */
const MISTAKES: readonly (readonly [title: string, wrong: string, right: string])[] = [
  [
    'an act that no program has',
    `const act: import('holdpoint/shell').ActId = 'git/hard-rest'; void act`,
    `const act: import('holdpoint/shell').ActId = 'git/hard-reset'; void act`,
  ],
  [
    'a misspelt answer',
    `defineHook({ on: 'PreToolUse', run: () => ({ dney: 'No.' }) })`,
    `defineHook({ on: 'PreToolUse', run: () => ({ deny: 'No.' }) })`,
  ],
  [
    'a misspelt field next to a right one',
    `defineHook({ on: 'PreToolUse', run: () => ({ deny: 'No.', contxt: 'x' }) })`,
    `defineHook({ on: 'PreToolUse', run: () => ({ deny: 'No.', context: 'x' }) })`,
  ],
  [
    'a misspelt field of a promised answer',
    `defineHook({ on: 'PreToolUse', run: async () => ({ ask: 'Sure?', reson: 'x' }) })`,
    `defineHook({ on: 'PreToolUse', run: async () => ({ ask: 'Sure?', warn: 'x' }) })`,
  ],
  [
    'a deny without its reason',
    `defineHook({ on: 'PreToolUse', run: () => ({ deny: true }) })`,
    `defineHook({ on: 'PreToolUse', run: () => ({ deny: 'No.' }) })`,
  ],
  [
    'a misspelt answer of a hook that is registered directly',
    `createRuntime().register({ on: 'Stop', run: () => ({ dney: 'No.' }) })`,
    `createRuntime().register({ on: 'Stop', run: () => ({ deny: 'No.' }) })`,
  ],
  [
    'an event that does not exist',
    `defineHook({ on: 'PreTool', run: () => undefined })`,
    `defineHook({ on: ['PreToolUse', 'Stop'], run: () => undefined })`,
  ],
  [
    'a field that the input of a matched tool does not have',
    `defineHook({ on: 'PreToolUse', match: 'Write|Edit', run: ({ tool }) => void tool.input.command.length })`,
    `defineHook({ on: 'PreToolUse', match: 'Write|Edit', run: ({ tool }) => void tool.input.file_path.length })`,
  ],
  [
    'a field that only one of the matched tools has',
    `defineHook({ on: 'PreToolUse', match: 'Write|Edit', run: ({ tool }) => void tool.input.content.length })`,
    `defineHook({ on: 'PreToolUse', match: 'Write|Edit', run: ({ tool }) => tool.name === 'Write' ? { warn: tool.input.content } : undefined })`,
  ],
  [
    'a call without its tool',
    `createRuntime().evaluate({ kind: 'PreToolUse' })`,
    `createRuntime().evaluate({ kind: 'PreToolUse', tool: { name: 'Bash', input: {} } })`,
  ],
  [
    'a misspelt field of an event',
    `createRuntime().evaluate({ kind: 'Stop', lastMesage: 'x' })`,
    `createRuntime().evaluate({ kind: 'Stop', lastMessage: 'x' })`,
  ],
  [
    'a field of another event',
    `createRuntime().evaluate({ kind: 'Stop', prompt: 'x' })`,
    `createRuntime().evaluate({ kind: 'UserPromptSubmit', prompt: 'x' })`,
  ],
  [
    'a guard without modes',
    `defineGuard({ id: 'a/b', title: 'A', why: 'B.', instead: 'c.', on: ['Stop'], match: '', examples: { stops: [], passes: [] }, check: () => null })`,
    `defineGuard({ id: 'a/b', title: 'A', why: 'B.', instead: 'c.', on: ['Stop'], match: '', modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' }, examples: { stops: [], passes: [] }, check: () => null })`,
  ],
]

const IMPORT =
  "import { createRuntime, defineGuard, defineHook } from 'holdpoint'\nvoid [createRuntime, defineGuard, defineHook]\n"

let found = ''
beforeAll(() => {
  const files = MISTAKES.flatMap(([, wrong, right], index) => [
    [`wrong-${index}.mts`, IMPORT + wrong],
    [`right-${index}.mts`, IMPORT + right],
  ])
  found = compile(Object.fromEntries(files))
})

describe.each(MISTAKES.map(([title], index) => ({ title, index })))('$title', ({ index }) => {
  it('does not compile', () => expect(found).toContain(`wrong-${index}.mts(3,`))
  it('compiles when it is written correctly', () => expect(found).not.toContain(`right-${index}.mts(`))
})
