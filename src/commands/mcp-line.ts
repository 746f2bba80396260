import { type Command, Option } from 'commander'
import { PIN_MODES } from '../adapters/mcp/tool-policy.ts'
import type { Caller } from './caller.ts'
import { many } from './line-options.ts'

/** The command line of `holdpoint mcp`, which MCP clients have in their configuration. */
export function addMcp(caller: Caller, program: Command, home: Option): void {
  program
    .command('mcp')
    .argument('[command...]', 'after `--`: the command that starts the server')
    .description(
      'Run between an MCP client and a server. Every tool call is checked before and after it runs.',
    )
    .passThroughOptions()
    .option('--url <url>', 'a server over streamable HTTP, instead of a command')
    .option(
      '--header <header>',
      "'Name: value' for every request to the server; $NAME is replaced with the environment variable",
      many,
    )
    .option(
      '--listen <port>',
      'serve that url over streamable HTTP on 127.0.0.1 at this port; 0: any free port',
    )
    .option('--name <server>', 'the name of the server in tool names: mcp__<server>__<tool>')
    .option('--hide <glob>', 'hide a tool: clients can neither see nor call it', many)
    .option('--only <glob>', 'hide all other tools', many)
    .addOption(
      new Option('--pin <mode>', 'what to do if the description of a tool has changed').choices([
        ...PIN_MODES,
      ]),
    )
    .option(
      '--drop-output-schemas',
      'remove the output schemas of tools, so that policies can add to their results',
    )
    .option('--accept', 'review changed tools and accept them. For people only')
    .option('--session <id>', 'the session of the calls (default: a new one)')
    .option('--agent <id>', 'the sub-agent that calls (default: the main agent)')
    .option('--agent-type <type>', 'the type of the agent that calls')
    .option('--skill <name>', 'treat this skill as active', many)
    .option('--pack <pack>', 'add a pack', many)
    .option('--config <file>', 'use this file instead of the configuration that is found')
    .addOption(home)
    .addHelpText(
      'after',
      '\nExample: holdpoint mcp --name files -- \\\n           npx -y @modelcontextprotocol/server-filesystem .',
    )
    .action(async (words, options) => (await import('./mcp.ts')).mcp(caller, words, options))
}
