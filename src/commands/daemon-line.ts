import type { Command } from 'commander'
import { HOME } from './line-options.ts'

/** The commands for programs that work next to an agent: the daemon, and what an agent does not report itself. */
export function addDaemon(program: Command): void {
  const daemon = program
    .command('daemon')
    .description(
      'Manage the background process that makes hooks fast. It starts automatically; hooks also work without it.',
    )
  const verbs = {
    status: 'show its status',
    start: 'start it now',
    stop: 'stop it; the next hook starts it again',
    logs: 'print its log',
  } as const
  for (const verb of ['status', 'start', 'stop', 'logs'] as const) {
    const command = daemon.command(verb).description(verbs[verb]).addOption(HOME)
    if (verb === 'status') command.option('--json', 'print everything as one JSON object')
    command.action(async (options) => (await import('./daemon.ts')).daemon(verb, options))
  }
}

export function addSkill(program: Command): void {
  const skill = program
    .command('skill')
    .description('Tell Holdpoint that a skill started or ended for an agent.')
  for (const verb of ['start', 'end'] as const) {
    skill
      .command(`${verb} <name>`)
      .requiredOption('--session <id>')
      .option('--agent <id>', 'the sub-agent (default: the main agent)')
      .addOption(HOME)
      .action(async (name, options) => (await import('./skill.ts')).skill(verb, name, options))
  }
}
