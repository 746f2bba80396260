import { type Command, Option } from 'commander'
import type { Caller } from './caller.ts'
import { HOME } from './line-options.ts'

/** The commands that show what was recorded. */
export function addJournal(caller: Caller, program: Command): void {
  addLog(caller, program)
  addReport(caller, program)
}

function addLog(caller: Caller, program: Command): void {
  program
    .command('log')
    .description('Show the journal: the events and the decision about each.')
    .option('--follow', 'keep printing new records')
    .option('--json', 'print one JSON object per line')
    .option('--verify', 'check the hash chain: were records changed later?')
    .option(
      '--erase <id>',
      'remove the contents of a record; the chain can still be checked. For people only',
    )
    .option('--limit <n>', 'only the newest N records (default: 50; all with --json)')
    .option('--session <id>', 'only this session')
    .option('--agent <id>', 'only this sub-agent')
    .option('--event <event>', 'only this event, such as PreToolUse')
    .option('--tool <name>', 'only this tool, such as Bash')
    .addOption(
      new Option('--effect <effect>', 'only this decision').choices(['pass', 'allow', 'ask', 'deny']),
    )
    .option('--hook <hook>', 'only records that this hook decided')
    .option('--project <dir>', 'only this project (default: all projects)')
    .option('--all', 'all projects (the default)')
    .option('--since <time>', 'only newer records: an ISO time, or 30m, 2h, 7d')
    .addOption(HOME)
    .addHelpText('after', '\nExample: holdpoint log --effect deny --since 2h')
    .action(async (options) => (await import('./log.ts')).log(caller, options))
}

function addReport(caller: Caller, program: Command): void {
  program
    .command('report')
    .description('Show statistics: decisions, tool time, which agent called which, handoffs and tests.')
    .option('--since <time>', 'only newer records: an ISO time, or 30m, 2h, 7d')
    .option('--session <id>', 'only this session')
    .option('--project <dir>', 'only this project (default: the project of this folder)')
    .option('--all', 'all projects')
    .option('--json', 'print everything as one JSON object')
    .option('--csv', 'print CSV, one number per line')
    .option('--markdown', 'print Markdown tables')
    .option('--html <file>', 'write one HTML file with charts')
    .addOption(HOME)
    .action(async (options) => (await import('./report.ts')).report(caller, options))
}
