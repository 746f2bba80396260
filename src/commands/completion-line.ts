import { Argument, type Command } from 'commander'
import type { Caller } from './caller.ts'
import { COMPLETION_SHELLS } from './completion/shells.ts'

/** The command line of `holdpoint completion`, and of the hidden command that its scripts call. */
export function addCompletion(caller: Caller, program: Command): void {
  program
    .command('completion')
    .description('Print the completion script for a shell. The top of the script says how to install it.')
    .addArgument(new Argument('<shell>', 'the shell').choices([...COMPLETION_SHELLS]))
    .addHelpText('after', '\nExample: source <(holdpoint completion bash)')
    .action(async (shell) => (await import('./completion.ts')).completion(caller, shell))
  program
    .command('complete [words...]', { hidden: true })
    .description('Print what may follow: `holdpoint complete -- init --pa` prints `--pack`.')
    .action(async (words) => (await import('./complete.ts')).complete(caller, program, words))
}
