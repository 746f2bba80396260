import { Command, Option } from 'commander'
import { HoldpointError } from '../errors.ts'
import { SCOPES } from '../hosts/installer.ts'
import { VERSION } from '../version.ts'
import { addMcp } from './mcp-line.ts'
import { addMux } from './mux-line.ts'

/** The command line: every command is a file of its own, loaded when it is called. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('holdpoint')
    .description(
      'Answers the hook events of AI coding agents: policies written once, one explained decision out.',
    )
    .version(VERSION)
    .showHelpAfterError('See `holdpoint help`.')
    .enablePositionalOptions()

  addInit(program)
  addHook(program)
  addCall(
    program.command('test'),
    'Try one call against the policies that hold here: BLOCKED, ASK or ALLOWED. Without --tool: run the test files in .holdpoint/tests.',
  )
    .option('--file <file>', 'a test file, in place of those in .holdpoint/tests', many)
    .option('--watch', 'run the test files again whenever something changes')
    .addHelpText('after', '\nExample: holdpoint test --tool Bash --args \'{"command": "git push --force"}\'')
    .action(async (options) => (await import('./test.ts')).test(options))
  addCall(program.command('explain'), 'Show why a call is decided as it is.')
    .argument('[id]', 'a record of the journal, as listed by `holdpoint log`')
    .action(async (id, options) => (await import('./explain.ts')).explain(id, options))
  addCheck(program)
  addLint(program)
  addLog(program)
  addReport(program)
  addSkill(program)
  addMux(program, HOME)
  addMcp(program, HOME)
  addTrust(program)
  addLeave(program)
  addDaemon(program)
  program
    .command('demo')
    .description('Play a recorded agent session through the real hook in a throw-away project.')
    .action(async () => (await import('./demo.ts')).demo())

  // `holdpoint log | head` closes the pipe early; that is no fault.
  process.stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
    throw error
  })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error
    process.stderr.write(`holdpoint: ${error.message}\n`)
    process.exitCode = error.exitCode
  }
}

const HOME = new Option('--home <dir>', 'the folder of all user-level files, in place of the usual ones')

function many(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

function addInit(program: Command): void {
  const scope = () => new Option('--scope <scope>', 'whose configuration').choices([...SCOPES])
  program
    .command('init')
    .description('Guard the agents of this machine: hooks beside what is there, each proved live.')
    .option('--host <host>', 'the agent; those found on PATH when missing', many)
    .option('--pack <pack>', 'a pack to switch on; asked when missing', many)
    .addOption(scope())
    .option(
      '--http',
      'Claude Code asks over HTTP and starts no process per call; without it: back to commands',
    )
    .option('--yes', 'do not ask')
    .addOption(HOME)
    .action(async (options) => (await import('./init.ts')).init(options))
  program
    .command('uninstall')
    .description('Take the hooks out again; nothing else is touched.')
    .option('--host <host>', 'only this agent', many)
    .addOption(scope())
    .option('--yes', 'do not ask')
    .addOption(HOME)
    .action(async (options) => (await import('./uninstall.ts')).uninstall(options))
  program
    .command('doctor')
    .description('Is every hook live and fail-closed; what is enforced, and what cannot be.')
    .option('--json', 'print everything as one JSON object')
    .addOption(HOME)
    .action(async (options) => (await import('./doctor.ts')).doctor(options))
}

function addHook(program: Command): void {
  program
    .command('hook <host>')
    .description(
      'Answer one event: the payload on standard input, the reply on standard output. Hosts: claude-code, codex, collective, massgen, mux, mux-legacy, scratchpad.',
    )
    .option('--event <name>', 'the event, where the payload does not say')
    .option('--pack <pack>', 'add a pack for this call', many)
    .option('--skill <name>', 'mark a skill active for this call', many)
    .option('--config <file>', 'use this file in place of the found configuration')
    .addOption(HOME)
    .addOption(
      new Option('--on-failure <effect>', 'the answer when nothing can be decided').choices(['deny', 'pass']),
    )
    .option('--deadline-ms <ms>', 'answer within this time')
    .action(() => program.help())
}

function addCall(command: Command, description: string): Command {
  return command
    .description(description)
    .option('--tool <name>', 'the tool of the call')
    .option(
      '--args <json>',
      'its input as a JSON object; for events without a tool, the fields of the event',
      '{}',
    )
    .option('--event <name>', 'the kind of event', 'PreToolUse')
    .option('--agent-type <type>', 'as if a sub-agent of this type made the call')
    .option('--skill <name>', 'as if this skill were active', many)
    .option('--pack <pack>', 'add a pack', many)
    .option('--config <file>', 'use this file in place of the found configuration')
    .option('--cwd <dir>', 'as if the call were made in this folder')
    .addOption(HOME)
    .option('--json', 'print everything as one JSON object')
}

function addCheck(program: Command): void {
  program
    .command('check')
    .description('Judge many calls: one JSON object a line in, one a line out, in the same order.')
    .requiredOption(
      '--jsonl',
      'read rows of {"id"?, "command"} or {"id"?, "event"}, with optional cwd, home, project',
    )
    .option('--pack <pack>', 'the packs to judge with (default: safety, secrets)', many)
    .addOption(new Option('--level <level>', 'how strict').choices(['standard', 'strict', 'paranoid']))
    .addOption(
      new Option('--facts <facts>', 'live: resolve paths on this disk')
        .choices(['frozen', 'live'])
        .default('frozen'),
    )
    .action(async (options) => (await import('./check.ts')).check(options))
}

function addLint(program: Command): void {
  program
    .command('lint [files...]')
    .description(
      'Say what is wrong in hook configurations: those in force here, or the files named. Changes nothing.',
    )
    .option('--json', 'print everything as one JSON object')
    .addOption(HOME)
    .action(async (files, options) => (await import('./lint.ts')).lint(files, options))
  program
    .command('adopt')
    .description("Take the command hooks of Claude Code's settings into Holdpoint, in their order.")
    .addOption(new Option('--scope <scope>', 'whose settings (default: project)').choices([...SCOPES]))
    .option('--closed', 'a hook that cannot answer denies, whatever it did before')
    .option('--undo', 'give them back')
    .option('--yes', 'do not ask')
    .addOption(HOME)
    .action(async (options) => (await import('./adopt.ts')).adopt(options))
}

function addLog(program: Command): void {
  program
    .command('log')
    .description('Read the journal: what happened and how it was decided.')
    .option('--follow', 'keep printing new records')
    .option('--json', 'one JSON object a line')
    .option('--verify', 'check the hash chain')
    .option('--limit <n>', 'only the newest N (default: 50, all with --json)')
    .option('--session <id>')
    .option('--agent <id>')
    .option('--event <kind>')
    .option('--tool <name>')
    .addOption(new Option('--effect <effect>').choices(['pass', 'allow', 'ask', 'deny']))
    .option('--hook <id>', 'only records this hook decided')
    .option('--project <dir>')
    .option('--since <time>', 'an ISO time, or 30m, 2h, 7d')
    .addOption(HOME)
    .action(async (options) => (await import('./log.ts')).log(options))
}

function addReport(program: Command): void {
  program
    .command('report')
    .description('Figures from the journal and the metrics: decisions, tool time, routing, handoffs, tests.')
    .option('--since <time>', 'an ISO time, or 30m, 2h, 7d')
    .option('--session <id>', 'only this session')
    .option('--project <dir>', 'of this project (default: the one of this folder)')
    .option('--all', 'of all projects')
    .option('--json', 'everything as one JSON object')
    .option('--csv', 'every number on a line of its own')
    .option('--markdown', 'as Markdown tables')
    .option('--html <file>', 'write a page with charts that needs nothing else')
    .addOption(HOME)
    .action(async (options) => (await import('./report.ts')).report(options))
}

function addSkill(program: Command): void {
  const skill = program
    .command('skill')
    .description('Tell Holdpoint that a skill began or ended for an agent.')
  for (const verb of ['start', 'end'] as const) {
    skill
      .command(`${verb} <name>`)
      .requiredOption('--session <id>')
      .option('--agent <id>', 'the sub-agent; the main agent when missing')
      .addOption(HOME)
      .action(async (name, options) => (await import('./skill.ts')).skill(verb, name, options))
  }
}

function addDaemon(program: Command): void {
  const daemon = program
    .command('daemon')
    .description(
      'The resident process that makes hooks fast. It starts by itself; hooks answer without it too.',
    )
  const verbs = {
    status: 'how it is',
    start: 'start it now',
    stop: 'stop it; the next hook starts another',
    logs: 'what it had to say',
  } as const
  for (const verb of ['status', 'start', 'stop', 'logs'] as const) {
    const command = daemon.command(verb).description(verbs[verb]).addOption(HOME)
    if (verb === 'status') command.option('--json', 'print everything as one JSON object')
    command.action(async (options) => (await import('./daemon.ts')).daemon(verb, options))
  }
}

function addLeave(program: Command): void {
  program
    .command('allow [codes...]')
    .description('Let exactly what a guard stopped through: that act and nothing like it. For people.')
    .option('--once', 'its next use in that session (the default)')
    .option('--always', 'from now on')
    .option('--for <time>', 'for 10m, 2h or 7d')
    .option('--list', 'show what is let through')
    .option('--remove', 'no longer let it through')
    .addOption(HOME)
    .action(async (codes, options) => (await import('./allow.ts')).allow(codes, options))
  program
    .command('pause [time]')
    .description('Switch the pack `self` off for 10m or 2h, at most 8h, to work on Holdpoint. For people.')
    .option('--all', 'every pack, not only `self`')
    .option('--end', 'end the pause now')
    .addOption(HOME)
    .action(async (time, options) => (await import('./pause.ts')).pause(time, options))
}

function addTrust(program: Command): void {
  program
    .command('trust')
    .description("Vouch for this project's configuration and the programs it names, as they are now.")
    .option('--yes', 'do not ask')
    .option('--config <file>', 'vouch for this file')
    .option('--list', 'show every trusted file of this machine, and whether it is as it was')
    .option('--revoke', 'take the trust in this project back')
    .addOption(HOME)
    .action(async (options) => (await import('./trust.ts')).trust(options))
}
