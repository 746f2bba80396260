import { type Command, Option } from 'commander'
import { HOME } from './line-options.ts'

/** The commands that show what was recorded. */
export function addJournal(program: Command): void {
  addLog(program)
  addReport(program)
}

function addLog(program: Command): void {
  program
    .command('log')
    .description('Show the journal: the events and the decision about each.')
    .option('--follow', 'keep printing new records')
    .option('--json', 'print one JSON object a line')
    .option('--verify', 'check the hash chain')
    .option(
      '--erase <id>',
      'remove the contents of a record; the chain can still be checked. For people only',
    )
    .option('--limit <n>', 'only the newest N records (default: 50; all with --json)')
    .option('--session <id>')
    .option('--agent <id>')
    .option('--event <event>')
    .option('--tool <name>')
    .addOption(new Option('--effect <effect>').choices(['pass', 'allow', 'ask', 'deny']))
    .option('--hook <hook>', 'only records that this hook decided')
    .option('--project <dir>', 'only this project (default: all projects)')
    .option('--all', 'all projects')
    .option('--since <time>', 'an ISO time, or 30m, 2h, 7d')
    .addOption(HOME)
    .action(async (options) => (await import('./log.ts')).log(options))
}

function addReport(program: Command): void {
  program
    .command('report')
    .description(
      'Show statistics from the journal and the metrics: decisions, tool time, routing, handoffs, tests.',
    )
    .option('--since <time>', 'an ISO time, or 30m, 2h, 7d')
    .option('--session <id>', 'only this session')
    .option('--project <dir>', 'only this project (default: the project of this folder)')
    .option('--all', 'all projects')
    .option('--json', 'print everything as one JSON object')
    .option('--csv', 'print CSV, one number a line')
    .option('--markdown', 'print Markdown tables')
    .option('--html <file>', 'write one HTML file with charts')
    .addOption(HOME)
    .action(async (options) => (await import('./report.ts')).report(options))
}
