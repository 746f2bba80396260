import { buildCheckPlan } from '../../src/app/check-plan.ts'
import { bash, frozenFacts } from '../../src/library/testing/events.ts'
import { readCommands } from '../../src/shell/walk/read-commands.ts'
import { deciderOf } from './decider.ts'
import type { Dimension } from './dimension.ts'

/** A line of this many characters: parts as long as there is room for them, then spaces. */
function lineOf(size: number, part: (i: number) => string, before = '', after = ''): string {
  const parts = [before]
  let left = size - before.length - after.length
  for (let i = 0; ; i += 1) {
    const next = part(i)
    if (next.length > left) break
    parts.push(next)
    left -= next.length
  }
  return [...parts, after, ' '.repeat(left)].join('')
}

const LINES: readonly (readonly [id: string, what: string, (size: number) => string])[] = [
  ['word', 'one long word', (size) => lineOf(size, () => 'a', 'ls ')],
  ['quoted', 'one long quoted text', (size) => lineOf(size, () => 'some text, ', 'echo "', '"')],
  ['words', 'many words', (size) => lineOf(size, (i) => ` file-${i}.ts`, 'cat')],
  ['options', 'many options', (size) => lineOf(size, (i) => ` --name-${i}=value`, 'tool')],
  ['list', 'many commands', (size) => lineOf(size, (i) => `ls src/some/folder/number-${i}; `)],
  ['pipeline', 'a long pipeline', (size) => lineOf(size, (i) => ` | grep word-${i}`, 'ls')],
  ['assignments', 'many variables', (size) => lineOf(size, (i) => `v${i}=${i}; `)],
  [
    'substitutions',
    'many substitutions',
    (size) => lineOf(size, (i) => ` $(basename src/some/folder/number-${i})`, 'echo'),
  ],
  [
    'document',
    'a here-document',
    (size) => lineOf(size, (i) => `line ${i}\n`, "cat > notes.md <<'END'\n", 'END\n'),
  ],
]

const COMMON = { unit: 'characters', counts: 'steps' } as const
const SIZES = [320, 3_200, 32_000]
/** Each command of a pipeline knows all commands before it. */
const lawOf = (id: string): Pick<Dimension, 'law' | 'upTo'> =>
  id === 'pipeline' ? { law: 'quadratic', upTo: '4,096 words' } : { law: 'linear', upTo: '32,768 characters' }

const reading: readonly Dimension[] = LINES.map(([id, what, line]) => ({
  ...COMMON,
  // To decide a command is to read it too, so this is for the long run: it says which of the two broke the law.
  sizes: [],
  more: SIZES,
  id: `read-${id}`,
  ...lawOf(id),
  does: `read a command with ${what}`,
  prepare(size) {
    const facts = frozenFacts()
    const text = line(size)
    return { warmUp: () => readCommands(line(160), facts), run: () => readCommands(text, facts) }
  },
}))

/** The same for all lines. */
let builtIn: ReturnType<typeof buildCheckPlan> | undefined

const deciding: readonly Dimension[] = LINES.map(([id, what, line]) => ({
  ...COMMON,
  sizes: SIZES,
  id: `judge-${id}`,
  ...lawOf(id),
  does: `decide a command with ${what}, by all built-in guards`,
  async prepare(size) {
    builtIn ??= buildCheckPlan(undefined, undefined)
    const decide = deciderOf((await builtIn).engine)
    const text = line(size)
    return { warmUp: () => decide(bash(line(160))), run: () => decide(bash(text)) }
  },
}))

export const commandDimensions: readonly Dimension[] = [...reading, ...deciding]
