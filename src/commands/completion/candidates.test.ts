import { Argument, Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { processCaller } from '../caller.ts'
import { buildProgram } from '../main.ts'
import { candidatesFor, placeholderOf } from './candidates.ts'
import { completionValues } from './values.ts'

const many = (value: string, before: readonly string[] = []) => [...before, value]

function program(): Command {
  const root = new Command('tool').version('1').enablePositionalOptions()
  root
    .command('make [file]')
    .description('Make it.')
    .option('-f, --force', 'at once')
    .option('--tag <tag>', 'a tag', many)
    .option('--only <words...>', 'only these')
    .option('--maybe [value]', 'perhaps')
    .option('--file <file>', 'a file')
    .addOption(new Option('--level <level>', 'how much').choices(['low', 'high']))
    .addOption(new Option('--secret').hideHelp())
  const group = root.command('group')
  group.command('first').addArgument(new Argument('<kind>').choices(['one', 'two']))
  group.command('second').alias('2nd').option('--quick', 'no wait')
  root.command('run [command...]').passThroughOptions().option('--name <name>')
  root.command('hidden', { hidden: true })
  return root
}

const answer = async (...words: string[]) => {
  const { candidates, paths } = await candidatesFor(program(), words, completionValues)
  return [...candidates.map(({ value }) => value), ...(paths === undefined ? [] : [`:${paths}`])]
}

describe('candidates', () => {
  it.each<[string, string[], string[]]>([
    ['commands', [''], ['make', 'group', 'run', 'help']],
    ['commands that start with the typed letters', ['gr'], ['group']],
    ['nothing without any word', [], ['make', 'group', 'run', 'help']],
    ['options of the program', ['--'], ['--version', '--help']],
    ['sub-commands', ['group', ''], ['first', 'second', 'help']],
    ['the name of a command after help', ['help', 'g'], ['group']],
    ['nothing after that', ['help', 'group', ''], []],
    ['choices of an argument', ['group', 'first', ''], ['one', 'two']],
    ['nothing after the last argument, so options', ['group', 'first', 'one', ''], ['--help']],
    ['options of a command by its other name', ['group', '2nd', '--q'], ['--quick']],
    ['options where no argument is possible', ['group', 'second', ''], ['--quick', '--help']],
    ['files for an argument', ['make', ''], [':files']],
    ['nothing instead of a second file', ['make', 'a', 'b'], []],
    ['choices of an option', ['make', '--level', ''], ['low', 'high']],
    ['choices after =', ['make', '--level=h'], ['--level=high']],
    ['files after =', ['make', '--file=x'], [':files']],
    ['nothing for free text', ['make', '--tag', ''], []],
    ['values that look like options', ['make', '--tag', '--'], []],
    ['the command once the value is complete', ['make', '--tag', 'x', '--le'], ['--level']],
    ['more words of an option that takes several', ['make', '--only', 'a', ''], []],
    ['options after those', ['make', '--only', 'a', '--le'], ['--level']],
    ['options after an option whose value is optional', ['make', '--maybe', '--le'], ['--level']],
    ['an option only once', ['make', '--level', 'low', '--le'], []],
    ['an option that collects values again', ['make', '--tag', 'a', '--ta'], ['--tag']],
    ['an option only once, also by its short name', ['make', '-f', '--fo'], []],
    ['no hidden option', ['make', '--sec'], []],
    ['no hidden command', ['hid'], []],
    ['no option after --', ['make', '--', '--le'], [':files']],
    ['files in the line of another program', ['run', '--name', 'x', 'npx', '--na'], [':files']],
    ['options before that line', ['run', '--na'], ['--name']],
    ['nothing for an unknown command', ['nowhere', '--'], ['--version', '--help']],
    ['nothing for an unknown option', ['make', '--nowhere=x'], []],
  ])('are %s', async (_name, words, expected) => {
    expect(await answer(...words)).toEqual(expected)
  })

  it('have the descriptions of the help', async () => {
    const { candidates } = await candidatesFor(program(), ['ma'], completionValues)
    expect(candidates).toEqual([{ value: 'make', description: 'Make it.' }])
  })
})

/** Placeholders that are free text. A new placeholder needs a source in values.ts, or an entry here. */
const FREE = new Set(
  `agent-id bytes channel codes glob header host:port id json machine model ms n name name=days name=value port public
  role seconds server team text time topic type url version words`.split(/\s+/),
)

describe('the command line', () => {
  const commands = (command: Command): Command[] => [command, ...command.commands.flatMap(commands)]
  const all = commands(buildProgram(processCaller()))

  it('has values for every placeholder that is not free text', async () => {
    const unknown: string[] = []
    const check = async (where: string, keys: readonly string[]) => {
      if ((await completionValues(keys, '')) === undefined && !FREE.has(keys.at(-1) ?? ''))
        unknown.push(where)
    }
    for (const command of all.filter((each) => each.name() !== 'complete')) {
      for (const option of command.options.filter((each) => each.required || each.optional)) {
        if (option.argChoices) continue
        await check(`${command.name()} ${option.flags}`, [option.long ?? '', placeholderOf(option)])
      }
      for (const argument of command.registeredArguments.filter((each) => !each.argChoices)) {
        const name = argument.name()
        await check(`${command.name()} ${name}`, [`${command.name()} ${name}`, name])
      }
    }
    expect(unknown).toEqual([])
  })

  it.each<[string, string[], string]>([
    ['hosts that init can install hooks for', ['init', '--host', 'c'], 'claude-code'],
    ['hosts that the hook command knows', ['hook', 'm'], 'massgen'],
    ['packs', ['check', '--pack', 's'], 'safety'],
    ['guards', ['log', '--hook', 'safety/git/'], 'safety/git/force-push'],
    ['events', ['explain', '--event', 'Pre'], 'PreToolUse'],
    ['pages', ['docs', ''], 'getting-started'],
    ['pages of guards', ['docs', 'sa'], 'safety/git/force-push'],
    ['actions', ['mux', 'verify', 'folder', ''], 'summary'],
  ])('offers %s', async (_name, words, expected) => {
    const { candidates } = await candidatesFor(buildProgram(processCaller()), words, completionValues)
    expect(candidates.map(({ value }) => value)).toContain(expected)
  })

  it('offers pages of guards with their titles, but only after some letters are typed', async () => {
    const { candidates } = await candidatesFor(buildProgram(processCaller()), ['docs', ''], completionValues)
    expect(candidates.filter(({ value }) => value.includes('/'))).toEqual([])
    const guards = await candidatesFor(
      buildProgram(processCaller()),
      ['docs', 'safety/git/force'],
      completionValues,
    )
    expect(guards.candidates).toEqual([{ value: 'safety/git/force-push', description: 'Force push' }])
  })
})
