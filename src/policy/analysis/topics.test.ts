import { describe, expect, it } from 'vitest'
import { bash, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { commandTopics, pathTopics } from './topics.ts'

describe('the topics of a command', () => {
  it.each<[string, readonly string[]]>([
    ['ls', ['any command', 'ls']],
    ['git push --force', ['any command', 'git/force-push', 'git/', 'git']],
    ['A=1 make', ['any command', 'make', 'an assignment']],
    ['sudo reboot', ['any command', 'sudo', 'reboot', 'a started command']],
    ['$X --all', ['any command', 'an unknown program']],
    ['"', ['unreadable', 'any command']],
  ])('%s', (command, topics) => {
    const found = commandTopics(bash(command), frozenFacts())
    expect(topics.filter((topic) => !found.has(topic))).toEqual([])
  })
  it('are none for a call that runs nothing', () => {
    expect([...commandTopics(toolCall('Read', { file_path: 'a' }), frozenFacts())]).toEqual([])
  })
})

describe('the topics of paths', () => {
  it.each<[string, ReturnType<typeof bash>, readonly string[]]>([
    ['a file that is read', toolCall('Read', { file_path: 'src/a.ts' }), []],
    ['a secret that is read', toolCall('Read', { file_path: '.env' }), ['a secret']],
    ['a pattern', toolCall('Glob', { pattern: '**/*.ts' }), ['a secret']],
    [
      'a file that is written',
      toolCall('Write', { file_path: 'src/a.ts', content: '' }),
      ['a write of a tool', 'a change', 'a sure change'],
    ],
    ['a command that writes', bash('echo x > out.txt'), ['a change', 'a sure change']],
    ['a command that may write', bash('frob out.txt'), ['a change']],
    ['a command that reads', bash('cat package.json'), []],
  ])('%s', (_name, event, topics) => {
    expect([...pathTopics(event, frozenFacts())].sort()).toEqual([...topics].sort())
  })
})
