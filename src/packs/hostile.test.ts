import { describe, expect, it } from 'vitest'
import { actorOf, bash, frozenFacts } from '../testing/events.ts'
import { isCaught } from './guard.ts'
import { pack as safety } from './safety/pack.ts'
import { pack as secrets } from './secrets/pack.ts'
import { pack as self } from './self/pack.ts'

const MEGABYTE = 1024 * 1024
const guards = [...safety.guards, ...secrets.guards, ...self.guards].filter(({ on }) =>
  on.includes('PreToolUse'),
)

/** Texts in which the first half of what a guard looks for comes up everywhere, and the second half nowhere. */
const SHAPES = [
  ...['a', 'a ', '\n', '/', '../', '.git/', '"', "'", '\\', '$(', '`', '{a,b}', '${a:-', '<<E\n', '| ', '> '],
  ...['rm ', 'mv ', 'cp -r ', 'tee ', 'sed -i ', 'dd of=', 'tar x', 'chmod +', 'chown ', 'find . ', 'git '],
  ...[
    'git -',
    'git push ',
    'curl ',
    'curl x; ',
    'curl |',
    'wget |nc |',
    'curl x && ',
    'nc\n',
    'docker ',
    'gh ',
  ],
  ...[
    'aws s3 ',
    'kubectl ',
    'terraform ',
    'psql -c "drop ',
    'DELETE FROM ',
    'sudo ',
    'while ',
    'f() { ',
    'sh ',
  ],
  ...[
    '/etc',
    '~/',
    '.env',
    '.aws',
    'id_',
    'GIT_',
    'LD_',
    'export A=',
    'eval ',
    'python -c ',
    '--del',
    'apt ',
  ],
]

/** Nothing here measures time: what does not end in time fails by the time a test has. */
describe('a megabyte', () => {
  it.each(SHAPES)('of %j is judged by every guard', async (shape) => {
    const text = shape.repeat(Math.ceil(MEGABYTE / shape.length))
    const event = bash(text)
    const input = { event, actor: actorOf(event), facts: frozenFacts(), options: {}, memory: {} }
    const outcomes = await Promise.all(guards.map((guard) => guard.check(input)))
    expect(outcomes.some((outcome) => outcome !== null && isCaught(outcome))).toBe(true)
  })
})
