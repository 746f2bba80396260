import { type Command, Option } from 'commander'
import { SCOPES } from '../hosts/installer.ts'
import type { Caller } from './caller.ts'
import { HOME, many, UNATTENDED } from './line-options.ts'

/** The commands that install, start, renew and remove hooks. */
export function addInstall(caller: Caller, program: Command): void {
  const scope = (more = '') =>
    new Option('--scope <scope>', `which settings file of the agent${more}`).choices([...SCOPES])
  program
    .command('init')
    .description(
      'Install hooks for the agents on this machine, next to existing hooks, and check that each one works.',
    )
    .option('--host <host>', 'the agent (default: all agents found on PATH)', many)
    .option('--unproved', 'also install agents that were never seen to obey the hooks (status: not proved)')
    .option('--pack <pack>', 'a pack to switch on, in addition to those that are on', many)
    .option('--only', 'switch off the default packs that --pack does not name')
    .addOption(scope(' (default: user)'))
    .option('--dry-run', 'show the changes in every file, and change nothing')
    .addOption(
      new Option(
        '--undoable <effect>',
        'what to do with actions that can be undone, such as `git rebase`',
      ).choices(['ask', 'deny']),
    )
    .option(
      '--http',
      'Claude Code sends events over HTTP instead of starting a process for each call. Without this option: use commands',
    )
    .option(
      '--managed',
      "also write Claude Code's managed settings, which no project can switch off (needs sudo)",
    )
    .option('--yes', 'do not ask for confirmation')
    .addOption(UNATTENDED)
    .option('--renew', 'only update the installed copy and the existing hooks, without questions')
    .option('--downgrade', 'allow an older version to replace the installed one')
    .addOption(HOME)
    .addHelpText('after', '\nExample: holdpoint init --host claude-code --yes')
    .action(async (options) => (await import('./init.ts')).init(caller, options))
  program
    .command('run')
    .argument('<agent>', 'the program of the agent, such as claude or codex')
    .argument('[args...]', 'its own arguments')
    .description('Start an agent, but only if its hooks are installed and nothing switches them off.')
    .passThroughOptions()
    .addOption(HOME)
    .addHelpText('after', '\nExample: holdpoint run claude -p "fix the tests"')
    .action(async (agent, args, options) => (await import('./run.ts')).run(caller, agent, args, options))
  program
    .command('upgrade')
    .description('Show the newest version on npm, and run its `init` if it is newer.')
    .option('--to <version>', 'install this version, even if it is older')
    .option('--check', 'only print what would be run')
    .addOption(UNATTENDED)
    .addOption(HOME)
    .action(async (options) => (await import('./upgrade.ts')).upgrade(caller, options))
  program
    .command('uninstall')
    .description("Remove Holdpoint's hooks. Other settings do not change. Prints what is left.")
    .option('--host <host>', 'only the hooks of this agent', many)
    .addOption(scope())
    .option('--purge', 'also remove what is left: configuration, journal, backups')
    .option('--yes', 'do not ask for confirmation')
    .addOption(UNATTENDED)
    .addOption(HOME)
    .action(async (options) => (await import('./uninstall.ts')).uninstall(caller, options))
}

/** The commands that show whether hooks are installed and work. */
export function addStatus(caller: Caller, program: Command): void {
  program
    .command('status')
    .description('Show on one screen what is guarded here, by which policy, and what is off or paused.')
    .option('--json', 'print everything as one JSON object')
    .addOption(HOME)
    .action(async (options) => (await import('./status.ts')).status(caller, options))
  program
    .command('doctor')
    .description(
      'Check everything that `status` shows, and start every hook: once with a valid event, once with an invalid one.',
    )
    .option('--verbose', 'also list what each agent does not support')
    .option('--json', 'print everything as one JSON object')
    .addOption(HOME)
    .action(async (options) => (await import('./doctor.ts')).doctor(caller, options))
}
