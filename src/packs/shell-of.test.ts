import { describe, expect, it } from 'vitest'
import { bash, frozenFacts, toolCall } from '../testing/events.ts'
import { shellOf, unreadable } from './shell-of.ts'

const facts = frozenFacts()

describe('shellOf', () => {
  it('reads an event once', () => {
    const event = bash('ls')
    expect(shellOf(event, facts)).toBe(shellOf(event, facts))
  })

  it('reads it again where the folder is another', () => {
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

  it.each([[{}], [{ command: '' }], [{ command: 5 }], [{ command: ['rm', 5] }]])(
    'cannot judge a shell call with input %j',
    (input) => {
      expect(shellOf(toolCall('Bash', input), facts)).toMatchObject({ judged: false })
    },
  )
})

describe('unreadable', () => {
  it('doubts where the text names what is watched, or is no text', () => {
    expect(unreadable(bash('git push "'), 'why', /push/, 'pushes')).toMatchObject({
      caught: 'pushes',
      unsure: expect.stringContaining('why'),
    })
    expect(unreadable(bash('ls "'), 'why', /push/, 'pushes')).toBeNull()
    expect(unreadable(toolCall('Bash', { command: ['git', 'push'] }), 'why', /push/, 'pushes')).not.toBeNull()
  })
})
