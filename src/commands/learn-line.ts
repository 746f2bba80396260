import { type Command, Option } from 'commander'
import { many } from './line-options.ts'

/** The commands that learn from what agents did. */
export function addLearn(program: Command, home: Option): void {
  program
    .command('scan')
    .description(
      'Read the transcripts that agents left on this machine, and show what the policy would have stopped. Needs no installation and changes nothing.',
    )
    .option('--since <time>', 'an ISO time, or 2h, 7d; `all` for everything', '30d')
    .option('--project <dir>', 'only calls in this folder')
    .option('--host <host>', 'only this agent', many)
    .option('--json', 'print everything as one JSON object')
    .option('--html <file>', 'write a page that needs nothing else')
    .addOption(home)
    .action(async (options) => (await import('./scan.ts')).scan(options))
  addReplay(program, home)
  program
    .command('audit')
    .description(
      'Compare the transcripts of agents with the journal: which calls ran without a decision, or although they were denied.',
    )
    .option('--since <time>', 'an ISO time, or 2h, 7d; `all` for everything', '30d')
    .option('--project <dir>', 'only calls in this folder')
    .option('--host <host>', 'only this agent', many)
    .option('--json', 'print everything as one JSON object')
    .addOption(home)
    .action(async (options) => (await import('./audit.ts')).audit(options))
  program
    .command('suggest')
    .description(
      'Propose changes to the policy of this project from what its agents did, each with its evidence.',
    )
    .option('--since <time>', 'an ISO time, or 2h, 7d; `all` for everything', '90d')
    .option('--project <dir>', 'of this project (default: the one of this folder)')
    .option('--accept <id>', 'add this proposal and its test to the project. For people', many)
    .option('--json', 'print everything as one JSON object')
    .addOption(home)
    .action(async (options) => (await import('./suggest.ts')).suggestRules(options))
}

function addReplay(program: Command, home: Option): void {
  program
    .command('replay')
    .description(
      'Decide what was recorded again, with the policy as it is now, and show which verdicts change. Nothing is run or changed.',
    )
    .option('--transcripts', 'the transcripts of agents, in place of the journal')
    .option('--file <file>', 'a file of events, one JSON object a line, in place of the journal')
    .option('--policy <file>', 'decide with this file alone, in place of the policy in force')
    .option(
      '--against <ref>',
      'compare with the policy of a commit, with a file, or with `none`: the default policy',
    )
    .addOption(
      new Option(
        '--fail-on <change>',
        'exit with 1 if a verdict becomes weaker, stricter, or changes at all',
      ).choices(['newly-allowed', 'newly-denied', 'any']),
    )
    .option('--since <time>', 'an ISO time, or 30m, 2h, 7d')
    .option('--project <dir>', 'of this project (default: the one of this folder)')
    .option('--all', 'of all projects')
    .option('--session <id>', 'only this session')
    .option('--json', 'print everything as one JSON object')
    .option('--markdown', 'print Markdown, for a pull request')
    .option('--save <file>', 'also write the events to this file, with invented names and masked secrets')
    .option('--restart', 'do not continue an interrupted replay')
    .addOption(home)
    .action(async (options) => (await import('./replay.ts')).replay(options))
}
