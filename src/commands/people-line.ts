import type { Command } from 'commander'
import { PERMITTED } from '../system/permit.ts'
import type { Caller } from './caller.ts'
import { HOME, UNATTENDED } from './line-options.ts'

/** The commands for people only: what they trust, and what they let through. */
export function addPeople(caller: Caller, program: Command): void {
  addTrust(caller, program)
  addWaivers(caller, program)
  addPin(caller, program)
}

function addTrust(caller: Caller, program: Command): void {
  program
    .command('trust')
    .description("Trust this project's configuration and the programs it names, as they are now.")
    .option('--yes', 'do not ask for confirmation')
    .option('--config <file>', 'trust this file')
    .option('--list', 'list all trusted files of this machine, and whether they have changed')
    .option('--json', 'with --list: print one JSON object')
    .option('--revoke', 'remove the trust in this project')
    .addOption(UNATTENDED)
    .addOption(HOME)
    .action(async (options) => (await import('./trust.ts')).trust(caller, options))
}

function addWaivers(caller: Caller, program: Command): void {
  program
    .command('allow')
    .argument('[codes...]', 'the code of the call, from the message or from `holdpoint explain --last`')
    .description('Let one call through that a guard stopped, and no other. For people only.')
    .option('--once', 'allow it once, in that session (default)')
    .option('--always', 'allow it from now on')
    .option('--for <time>', 'allow it for this long: 10m, 2h or 7d')
    .option('--list', 'list the exceptions')
    .option('--json', 'with --list: print them as one JSON array')
    .option('--remove', 'remove the exception')
    .addOption(HOME)
    .addHelpText('after', '\nExample: holdpoint allow ysak-1s48')
    .action(async (codes, options) => (await import('./allow.ts')).allow(caller, codes, options))
  program
    .command('pause')
    .argument('[time]', 'how long: 10m, 2h; at most 8h. Without a time: show whether something is paused')
    .description(
      'Switch the pack `self` off for some time, so that an agent can change the configuration of Holdpoint. For people only.',
    )
    .option('--all', 'switch all packs off, not only `self`')
    .option('--end', 'end the pause now')
    .option('--json', 'without a time: print the pause as JSON')
    .addOption(HOME)
    .addHelpText('after', '\nExample: holdpoint pause 10m')
    .action(async (time, options) => (await import('./pause.ts')).pause(caller, time, options))
}

function addPin(caller: Caller, program: Command): void {
  const pin = program
    .command('pin')
    .description(
      'Manage the PIN that `allow`, `pause` and `trust` ask for. With it, no program can confirm these commands in your name. For people only.',
    )
  const verbs = {
    status: 'Show whether a PIN is set.',
    set: 'Set or change the PIN.',
    remove: 'Remove the PIN.',
    reset: 'Make a new key, if you forgot the PIN. Then renew your exceptions and trust.',
  } as const
  for (const verb of ['status', 'set', 'remove', 'reset'] as const) {
    const command = pin.command(verb).description(verbs[verb]).addOption(HOME)
    if (verb === 'status') command.option('--json', 'print one JSON object')
    if (verb === 'set') command.addOption(UNATTENDED)
    command.action(async (options) => (await import('./pin.ts')).pin(caller, verb, options))
  }
  pin
    .command('permit')
    .argument('<commands...>', `what is permitted: ${PERMITTED.join(', ')}`)
    .description(
      'Write a file with which these commands run on machines without a person: CI, images, managed machines. For people only.',
    )
    .option('--for <time>', 'how long it is valid: 2h or 30d; at most 90d', '30d')
    .option('--out <file>', 'the file', 'holdpoint-permit.json')
    .addOption(HOME)
    .addHelpText('after', '\nExample: holdpoint pin permit trust --for 30d')
    .action(async (commands, options) => (await import('./permit.ts')).permit(caller, commands, options))
}
