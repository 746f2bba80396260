import type { Command } from 'commander'
import type { Caller } from './caller.ts'
import { HOME } from './line-options.ts'

/** The commands for programs that work next to an agent: the daemon, and what an agent does not report itself. */
export function addDaemon(caller: Caller, program: Command): void {
  const daemon = program
    .command('daemon')
    .description(
      'Manage the background process that makes hooks fast. It starts automatically; hooks also work without it.',
    )
  const verbs = {
    status: 'Show whether the daemon runs.',
    start: 'Start the daemon now.',
    stop: 'Stop the daemon. The next hook starts it again.',
    logs: 'Print the log of the daemon.',
  } as const
  for (const verb of ['status', 'start', 'stop', 'logs'] as const) {
    const command = daemon.command(verb).description(verbs[verb]).addOption(HOME)
    if (verb === 'status') command.option('--json', 'print everything as one JSON object')
    command.action(async (options) => (await import('./daemon.ts')).daemon(caller, verb, options))
  }
}

export function addSkill(caller: Caller, program: Command): void {
  const skill = program
    .command('skill')
    .description('Tell Holdpoint that a skill started or ended for an agent.')
  const verbs = {
    start: 'Say that a skill started: from now on, its hooks run for this agent.',
    end: 'Say that a skill ended: its hooks no longer run for this agent.',
  } as const
  for (const verb of ['start', 'end'] as const) {
    skill
      .command(verb)
      .description(verbs[verb])
      .argument('<name>', 'the name of the skill')
      .requiredOption('--session <id>', 'the session of the agent, as in `holdpoint log --json`')
      .option('--agent <id>', 'the sub-agent (default: the main agent)')
      .addOption(HOME)
      .action(async (name, options) => (await import('./skill.ts')).skill(caller, verb, name, options))
  }
}
