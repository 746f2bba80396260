import { type Command, Option } from 'commander'
import { PIN_MODES } from '../mcp/tool-policy.ts'

/** The words of `holdpoint mcp`, which stand in the configuration of MCP clients. */
export function addMcp(program: Command, home: Option): void {
  program
    .command('mcp [command...]')
    .description(
      'Stand between an MCP client and a server: every tool call is judged before and after it runs.',
    )
    .passThroughOptions()
    .option('--url <url>', 'a server over streamable HTTP, in place of a command')
    .option(
      '--header <header>',
      "'Name: value' for every request to it; $NAME is taken from the environment",
      many,
    )
    .option('--listen <port>', 'be a server over streamable HTTP on 127.0.0.1 for that url; 0: any free port')
    .option('--name <server>', 'what its tools are called by: mcp__<server>__<tool>')
    .option('--hide <glob>', 'a tool that clients neither see nor call', many)
    .option('--only <glob>', 'no tools but these', many)
    .addOption(
      new Option('--pin <mode>', 'what to do when a tool is not described as it was').choices([...PIN_MODES]),
    )
    .option(
      '--drop-output-schemas',
      'leave out what tools promise of their results, so that policies can add to their data',
    )
    .option('--accept', 'look at what changed, and accept it. For people')
    .option('--session <id>', 'the session calls belong to; one of its own when missing')
    .option('--agent <id>', 'the sub-agent that calls; the main agent when missing')
    .option('--agent-type <type>', 'the type of the agent that calls')
    .option('--skill <name>', 'mark a skill active', many)
    .option('--pack <pack>', 'add a pack', many)
    .option('--config <file>', 'use this file in place of the found configuration')
    .addOption(home)
    .addHelpText(
      'after',
      '\nExample: holdpoint mcp --name files -- npx -y @modelcontextprotocol/server-filesystem .',
    )
    .action(async (words, options) => (await import('./mcp.ts')).mcp(words, options))
}

function many(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
