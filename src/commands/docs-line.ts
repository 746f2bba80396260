import type { Command } from 'commander'
import type { Caller } from './caller.ts'

/** The command line of `holdpoint docs`. */
export function addDocs(caller: Caller, program: Command): void {
  program
    .command('docs')
    .argument('[topic]', 'a page such as `rules`, or the id of a guard such as `safety/git/force-push`')
    .description('Read the documentation of this version in the terminal. Without a topic: list the pages.')
    .option('--search <words...>', 'list the pages and lines that contain these words')
    .option('--list', 'list the pages')
    .option('--json', 'print everything as one JSON object')
    .addHelpText('after', '\nExamples: holdpoint docs rules\n          holdpoint docs --search force push')
    .action(async (topic, options) => (await import('./docs.ts')).docs(caller, topic, options))
}
