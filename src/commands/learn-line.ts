import { type Command, Option } from 'commander'
import type { Caller } from './caller.ts'
import { many } from './line-options.ts'

/** The commands that learn from what agents did. */
export function addLearn(caller: Caller, program: Command, home: Option): void {
  program
    .command('scan')
    .description(
      'Read the transcripts that agents left on this machine, and show what the policy would have stopped. Needs no installation and changes nothing.',
    )
    .option('--since <time>', 'an ISO time, or 2h, 7d; `all` for everything', '30d')
    .option('--project <dir>', 'only calls in this folder')
    .option('--host <host>', 'only this agent', many)
    .option('--json', 'print everything as one JSON object')
    .option('--html <file>', 'write one HTML file with the results')
    .addOption(home)
    .action(async (options) => (await import('./scan.ts')).scan(caller, options))
  addReplay(caller, program, home)
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
    .action(async (options) => (await import('./audit.ts')).audit(caller, options))
  program
    .command('suggest')
    .description(
      'Propose changes to the policy of this project from what its agents did, each with its evidence.',
    )
    .option('--since <time>', 'an ISO time, or 2h, 7d; `all` for everything', '90d')
    .option('--project <dir>', 'the project (default: the project of this folder)')
    .option('--accept <id>', 'add this proposal and its test to the project. For people only', many)
    .option('--json', 'print everything as one JSON object')
    .addOption(home)
    .action(async (options) => (await import('./suggest.ts')).suggestRules(caller, options))
}

function addReplay(caller: Caller, program: Command, home: Option): void {
  program
    .command('replay')
    .description(
      'Decide recorded events again with the current policy, and show which decisions change. Nothing is run or changed.',
    )
    .option('--transcripts', 'use the transcripts of agents instead of the journal')
    .option('--file <file>', 'use a file of events instead of the journal: one JSON object per line')
    .option('--policy <file>', 'decide with this file alone instead of the current policy')
    .option(
      '--against <ref>',
      'compare with the policy of a commit, with a file, or with `none`: the default policy',
    )
    .addOption(
      new Option(
        '--fail-on <change>',
        'exit with 1 if a decision becomes weaker, stricter, or changes at all',
      ).choices(['newly-allowed', 'newly-denied', 'any']),
    )
    .option('--since <time>', 'an ISO time, or 30m, 2h, 7d')
    .option('--project <dir>', 'only this project (default: the project of this folder)')
    .option('--all', 'all projects')
    .option('--session <id>', 'only this session')
    .option('--json', 'print everything as one JSON object')
    .option('--markdown', 'print Markdown, for a pull request')
    .option(
      '--save <file>',
      'also write the events to this file. Folders, sessions and agents get invented names, secrets are masked',
    )
    .option('--restart', 'do not continue an interrupted replay')
    .addOption(home)
    .addHelpText('after', '\nExample: holdpoint replay --against main')
    .action(async (options) => (await import('./replay.ts')).replay(caller, options))
}
