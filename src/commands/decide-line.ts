import { type Command, Option } from 'commander'
import { HOSTS } from '../hosts/index.ts'
import type { Caller } from './caller.ts'
import { HOME, many } from './line-options.ts'

/** The commands that decide calls: one event, one call, or many. */
export function addDecide(caller: Caller, program: Command): void {
  addHook(program)
  addCall(
    program.command('test'),
    'Try one call against the policies of this folder. Prints BLOCKED, ASK or ALLOWED. Without a call: run the test files in .holdpoint/tests.',
  )
    .argument('[command]', 'the shell command to try, in quotes; it is not run')
    .option('--file <file>', 'a test file to use instead of those in .holdpoint/tests', many)
    .option('--watch', 'run the test files again after each change')
    .option('--coverage', 'show which rules, conditions and contracts the tests and the journal exercised')
    .option('--mutate', 'change the policy in many small ways, and list the changes that no test notices')
    .option(
      '--handoff',
      'check the last message of an agent, from standard input, as the pack `collective` does',
    )
    .addHelpText(
      'after',
      '\nExamples: holdpoint test "git push --force"\n          holdpoint test --tool Read --args \'{"file_path": ".env"}\'',
    )
    .action(async (command, options) => (await import('./test.ts')).test(caller, command, options))
  addCall(
    program.command('explain'),
    'Explain the decision about a call: a recorded one, a shell command, or one that you describe with --tool and --args.',
  )
    .argument(
      '[what]',
      'the id of a record (see `holdpoint log`) or of a guard, or a shell command in quotes',
    )
    .option('--last', 'the last call that was stopped')
    .option('--session <id>', 'with --last: only calls of this session')
    .option('--effects <command>', 'show what a shell command would run and do; nothing is executed')
    .addHelpText(
      'after',
      '\nExamples: holdpoint explain --last\n          holdpoint explain "cat .env"\n          holdpoint explain --effects "cd /tmp && sudo rm -rf build"',
    )
    .action(async (what, options) => (await import('./explain.ts')).explain(caller, what, options))
  addCheck(caller, program)
}

function addHook(program: Command): void {
  program
    .command('hook')
    .argument('<host>', 'the agent that sends the event')
    .description(
      `Decide one event: read the payload from standard input, write the reply to standard output. Hosts: ${Object.keys(HOSTS).join(', ')}.`,
    )
    .option('--event <event>', 'the event, if the payload does not name it')
    .option('--pack <pack>', 'add a pack for this call', many)
    .option('--skill <name>', 'treat this skill as active for this call', many)
    .option('--config <file>', 'use this file instead of the configuration that is found')
    .addOption(HOME)
    .addOption(
      new Option('--on-failure <effect>', 'the decision if Holdpoint cannot decide').choices([
        'deny',
        'pass',
      ]),
    )
    .option('--deadline-ms <ms>', 'decide within this time')
    .addOption(new Option('--via <entry>', 'what registered the hook').choices(['plugin']))
    .action(() => program.help())
}

function addCall(command: Command, description: string): Command {
  return command
    .description(description)
    .option('--tool <name>', 'the tool that is called')
    .option(
      '--args <json>',
      'the input of the tool as a JSON object; for events without a tool, the fields of the event',
      '{}',
    )
    .option('--event <event>', 'the kind of event', 'PreToolUse')
    .option('--agent-type <type>', 'test a call made by a sub-agent of this type')
    .option('--skill <name>', 'test a call while this skill is active', many)
    .option('--host <host>', 'show what this agent does with the decision')
    .option('--pack <pack>', 'add a pack', many)
    .option('--config <file>', 'use this file instead of the configuration that is found')
    .option('--cwd <dir>', 'test a call made in this folder')
    .addOption(HOME)
    .option('--json', 'print everything as one JSON object')
}

function addCheck(caller: Caller, program: Command): void {
  program
    .command('check')
    .description(
      'Decide many calls: read one JSON object per line, and print one decision per line, in the same order.',
    )
    .requiredOption(
      '--jsonl',
      'read rows of {"id"?, "command"} or {"id"?, "event"}, with optional cwd, home, project, platform',
    )
    .option('--pack <pack>', 'the packs to use (default: safety, secrets)', many)
    .option('--project', 'use the policies of this folder')
    .option('--config <file>', 'use the policies of this file')
    .addOption(HOME)
    .addOption(
      new Option('--level <level>', 'how strict the packs are').choices(['standard', 'strict', 'paranoid']),
    )
    .addOption(
      new Option(
        '--facts <facts>',
        'frozen: read nothing from this disk; live: look up paths and links on it',
      )
        .choices(['frozen', 'live'])
        .default('frozen'),
    )
    .addHelpText('after', '\nExample: echo \'{"command": "rm -rf ~"}\' | holdpoint check --jsonl')
    .action(async (options) => (await import('./check.ts')).check(caller, options))
}
