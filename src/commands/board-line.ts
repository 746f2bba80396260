import type { Command } from 'commander'
import type { Caller } from './caller.ts'
import { DATABASE, HOME } from './line-options.ts'

/** The live views. */
export function addBoard(caller: Caller, program: Command): void {
  program
    .command('ui')
    .description(
      'Open the board in your browser: what agents do now, why each call was decided, your policy.',
    )
    .option('--port <port>', 'listen on this port of 127.0.0.1 (default: a free one)')
    .option('--no-open', 'only print the link')
    .option('--fleet', 'show all machines of a fleet instead of this one, from its database')
    .addOption(DATABASE)
    .addOption(HOME)
    .action(async (options) =>
      options.fleet === true
        ? (await import('./fleet/board.ts')).fleetBoard(caller, options)
        : (await import('./ui.ts')).ui(caller, options),
    )
  program
    .command('top')
    .description('Watch agents in the terminal: calls as they happen, sessions, MUX orchestrations.')
    .addOption(HOME)
    .action(async (options) => (await import('./top/top.ts')).top(caller, options))
}
