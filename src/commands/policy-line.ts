import { type Command, Option } from 'commander'
import { SCOPES } from '../hosts/installer.ts'
import type { Caller } from './caller.ts'
import { HOME, UNATTENDED } from './line-options.ts'

/** The commands that look up guards and configuration, and find mistakes in them. */
export function addPolicy(caller: Caller, program: Command): void {
  addGuards(caller, program)
  addLint(caller, program)
}

function addGuards(caller: Caller, program: Command): void {
  program
    .command('guards')
    .argument('[pattern]', 'a pack, a part of a name, or the id of one guard')
    .description(
      'List the guards with their mode here. With an id: what it stops, why, and how to change its mode.',
    )
    .option('--json', 'print everything as one JSON array')
    .addOption(HOME)
    .addHelpText(
      'after',
      '\nExamples: holdpoint guards git\n          holdpoint guards safety/git/force-push',
    )
    .action(async (pattern, options) => (await import('./guards.ts')).guards(caller, pattern, options))
  program
    .command('config')
    .description('Print the policy that applies here, with the file that each value comes from.')
    .option('--json', 'print everything as one JSON object')
    .addOption(HOME)
    .action(async (options) => (await import('./config.ts')).config(caller, options))
}

function addLint(caller: Caller, program: Command): void {
  program
    .command('lint')
    .argument('[files...]', 'check these files only')
    .description(
      'Check hook configurations for mistakes: those used in this folder, or the named files. Runs nothing.',
    )
    .option('--fix', 'correct mistakes that have exactly one right answer')
    .option('--max-warnings <n>', 'fail if there are more warnings')
    .addOption(
      new Option('--format <format>', 'how to print the findings').choices([
        'text',
        'json',
        'github',
        'sarif',
      ]),
    )
    .option('--json', 'the same as --format json')
    .addOption(HOME)
    .action(async (files, options) => (await import('./lint.ts')).lint(caller, files, options))
  program
    .command('adopt')
    .description("Move the command hooks of Claude Code's settings into Holdpoint, in the same order.")
    .addOption(new Option('--scope <scope>', 'which settings file (default: project)').choices([...SCOPES]))
    .option('--closed', 'a hook that fails denies the call, even if it did not before')
    .option('--undo', 'move the hooks back')
    .option('--yes', 'do not ask for confirmation')
    .addOption(UNATTENDED)
    .addOption(HOME)
    .action(async (options) => (await import('./adopt.ts')).adopt(caller, options))
}
