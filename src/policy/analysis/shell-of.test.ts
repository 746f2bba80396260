import { describe, expect, it } from 'vitest'
import { bash, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { shellOf, unreadableMatch } from './shell-of.ts'

const facts = frozenFacts()

describe('shellOf', () => {
  it('parses an event only once', () => {
    const event = bash('ls')
    expect(shellOf(event, facts)).toBe(shellOf(event, facts))
  })

  it('parses it again for a different folder', () => {
    const event = bash('ls')
    expect(shellOf(event, frozenFacts({ cwd: '/a' }))).toMatchObject({ commands: [{ cwd: '/a' }] })
    expect(shellOf(event, frozenFacts({ cwd: '/b' }))).toMatchObject({ commands: [{ cwd: '/b' }] })
  })

  it('finds no commands in a call of another tool', () => {
    expect(shellOf(toolCall('Read', { file_path: 'a', command: 'rm' }), facts)).toEqual({
      judged: true,
      commands: [],
    })
  })

  it.each([[{}], [{ command: '' }], [{ command: 5 }], [{ command: [{}] }]])(
    'cannot judge a shell call with input %j',
    (input) => {
      expect(shellOf(toolCall('Bash', input), facts)).toMatchObject({ judged: false })
    },
  )
})

describe('unreadable commands', () => {
  it('are unsure if the text contains a watched word, or if there is no text', () => {
    expect(unreadableMatch(bash('git push "'), 'why', /push/, 'pushes')).toMatchObject({
      caught: 'pushes',
      unsure: expect.stringContaining('why'),
    })
    expect(unreadableMatch(bash('ls "'), 'why', /push/, 'pushes')).toBeNull()
    expect(
      unreadableMatch(toolCall('Bash', { command: ['git', 'push'] }), 'why', /push/, 'pushes'),
    ).not.toBeNull()
  })
})
