import { describe, expect, it } from 'vitest'
import { isGuardMatch } from '../../core/guard.ts'
import { wordList } from '../../core/word-list.ts'
import { actorOf, bash, frozenFacts } from '../../library/testing/events.ts'
import { pack as safety } from './safety/pack.ts'
import { pack as secrets } from './secrets/pack.ts'
import { pack as self } from './self/pack.ts'

const MEGABYTE = 1024 * 1024
const guards = [...safety.guards, ...secrets.guards, ...self.guards].filter(({ on }) =>
  on.includes('PreToolUse'),
)

/** Texts that repeat the first half of what a guard looks for and never contain the second half. */
const SHAPES = [
  ...wordList(String.raw`a / ../ .git/ " ' \ $( {a,b} /etc ~/ .env .aws id_ GIT_ LD_ --del`),
  ...wordList('a | > rm mv tee chown git curl docker gh kubectl terraform sudo while sh eval apt').map(
    spaced,
  ),
  ...wordList('` ${a:-'),
  ...['cp -r', 'sed -i', 'find .', 'git push', 'curl x;', 'curl x &&', 'aws s3', 'DELETE FROM'].map(spaced),
  ...['psql -c "drop', 'f() {', 'python -c'].map(spaced),
  '\n',
  '<<E\n',
  'nc\n',
  'dd of=',
  'tar x',
  'chmod +',
  'git -',
  'curl |',
  'wget |nc |',
  'export A=',
]

function spaced(words: string): string {
  return `${words} `
}

/** These tests do not measure time. An analysis that takes too long fails by the timeout of the test. */
describe('one megabyte of a repeated text', () => {
  it.each(SHAPES)('is judged by every guard: %j', async (shape) => {
    const text = shape.repeat(Math.ceil(MEGABYTE / shape.length))
    const event = bash(text)
    const input = { event, actor: actorOf(event), facts: frozenFacts(), options: {}, memory: {} }
    const outcomes = await Promise.all(guards.map((guard) => guard.check(input)))
    expect(outcomes.some((outcome) => outcome !== null && isGuardMatch(outcome))).toBe(true)
  })
})
