import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { processCaller } from '../../src/commands/caller.ts'
import { buildProgram } from '../../src/commands/main.ts'
import { commandsInPage, commandsInSource, wrongCommands } from './named-commands.ts'
import { readText, repositoryFiles } from './tree.ts'

const files = repositoryFiles()
const program = buildProgram(processCaller())

test('every command that a message names exists, with its options', () => {
  const sources = files.filter(
    (file) => /^(?:src|bin)\/.*\.tsx?$/.test(file) && !/\.(?:test|cases|contract|fixture)\.ts$/.test(file),
  )
  const complaints = sources.flatMap((file) =>
    wrongCommands(commandsInSource(readText(file)), program).map((complaint) => `${file}: ${complaint}`),
  )
  expect(complaints).toEqual([])
})

test('every command that a page names exists, with its options', () => {
  const pages = files.filter((file) =>
    /^(?:README\.md|docs\/.*\.md|skills\/.*\.md|plugin\/.*\.md)$/.test(file),
  )
  const complaints = pages
    .filter((file) => !file.startsWith('docs/decisions/'))
    .flatMap((file) =>
      wrongCommands(commandsInPage(readText(file)), program).map((complaint) => `${file}: ${complaint}`),
    )
  expect(complaints).toEqual([])
})

describe('the check of named commands', () => {
  const small = new Command('holdpoint')
  small.command('look [id]').option('--json', 'as JSON').option('-n, --limit <n>', 'how many')
  small.command('group').command('start <name>')

  test.each([
    'holdpoint look',
    'npx holdpoint look abc --json | head',
    'holdpoint look --limit=3',
    'holdpoint look -n 3 # the newest',
    'holdpoint group start <name>',
    'holdpoint <command> --help',
    'holdpoint help group',
  ])('accepts %s', (line) => {
    expect(wrongCommands([line], small)).toEqual([])
  })

  test.each([
    ['holdpoint watch', 'there is no `watch`'],
    ['holdpoint group stop x', 'there is no `stop`'],
    ['holdpoint look --limits 3', 'there is no option `--limits`'],
  ])('refuses %s', (line, complaint) => {
    expect(wrongCommands([line], small)).toEqual([`${line}: ${complaint}`])
  })

  test('reads strings and templates, but no comments', () => {
    const source = [
      '// `holdpoint comment`',
      "const a = 'Run `holdpoint look`.'",
      "const c = 'It cannot start. Run: npx holdpoint group start'",
      'const b = `Run \\`holdpoint look ${id} --json\\`, or \\`npx holdpoint group start ${x}\\`.`',
    ].join('\n')
    expect(commandsInSource(source)).toEqual([
      'holdpoint look',
      'holdpoint look <value> --json',
      'npx holdpoint group start <value>',
      'npx holdpoint group start',
    ])
  })

  test('reads code of a page', () => {
    const page =
      'Use `holdpoint look`.\n\n```console\n$ npx holdpoint group start x\nstarted\n```\n\n```ts\nholdpoint()\n```\n'
    expect(commandsInPage(page)).toEqual(['holdpoint look', 'npx holdpoint group start x'])
  })
})
