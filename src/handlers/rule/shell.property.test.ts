import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bash } from '../../library/testing/events.ts'
import { truthOf } from '../../library/testing/rules.ts'

/** Commands of known words, and the same with words replaced by variables. */
const word = fc.constantFrom(
  'psql',
  'rm',
  'prod',
  'src/a.ts',
  '--force',
  '-f',
  '-rf',
  'push',
  '*.ts',
  'x=prod',
  '--',
  '-e',
)
const program: fc.Arbitrary<string> = fc.constantFrom('psql', 'rm', 'git', 'cat', './run.sh')
const line = fc
  .tuple(program, fc.array(word, { maxLength: 4 }))
  // git runs nothing after an option that it does not know, and what is read of such a line is a guess.
  .filter(([first, rest]) => first !== 'git' || rest[0]?.startsWith('-') !== true)
  .map(([first, rest]) => [first, ...rest])
const hidden = fc.constantFrom('$X', '"$X"', '$(cat f)')
const when = fc.constantFrom(
  '{ shell: { command: psql } }',
  '{ shell: { command: psql, argument: "*prod*" } }',
  '{ shell: { flag: --force } }',
  '{ shell: { flag: [-f, -r] } }',
  '{ shell: { subcommand: push } }',
  '{ shell: { argument: "s*" } }',
  '{ path: "src/**" }',
  '{ path: { glob: "**/*.ts", access: read } }',
)
const wrapper = fc.constantFrom<(line: string) => string>(
  (text) => `sudo ${text}`,
  (text) => `env A=1 ${text}`,
  (text) => `true && ${text}`,
  (text) => `bash -c '${text}'`,
  (text) => `(${text}) | cat`,
)

it('a value hidden in a variable is never treated as harmless', async () => {
  await fc.assert(
    fc.asyncProperty(line, when, hidden, fc.nat(4), async (words, condition, variable, index) => {
      const known = await truthOf(condition, bash(words.join(' ')))
      const at = index % words.length
      const unknown = await truthOf(condition, bash(words.with(at, variable).join(' ')))
      if (known !== 'no') expect(['yes', 'maybe']).toContain(unknown)
      const negated = `{ not: ${condition} }`
      if ((await truthOf(negated, bash(words.join(' ')))) === 'yes' && known === 'no') {
        expect(['yes', 'maybe']).toContain(await truthOf(negated, bash(words.with(at, variable).join(' '))))
      }
    }),
    { numRuns: 150 },
  )
})

it('a command that a rule blocks is blocked in every wrapper', async () => {
  await fc.assert(
    fc.asyncProperty(line, when, wrapper, async (words, condition, wrap) => {
      const bare = await truthOf(condition, bash(words.join(' ')))
      const wrapped = await truthOf(condition, bash(wrap(words.join(' '))))
      if (bare !== 'no') expect(['yes', 'maybe']).toContain(wrapped)
    }),
    { numRuns: 100 },
  )
})
