import { type Command, Option } from 'commander'
import { PHASES } from '../tools/mux/audit.ts'
import { ACTIONS } from '../tools/mux/verify.ts'
import type { Caller } from './caller.ts'

/**
 * The command line of `holdpoint mux`, used by orchestrators and their agents. Scripts depend on these names.
 */
export function addMux(caller: Caller, program: Command, home: Option): void {
  const mux = program
    .command('mux')
    .description('Tools for an orchestrator and its agents: sessions, signals and short summaries.')
  const tool = (name: string, description: string) =>
    mux.command(name).description(description).option('--json', 'print one JSON object')
  const session = '[session-dir]'

  tool('session <topic>', 'Start an orchestration: create a folder for reports and signals.')
    .option('--base <dir>', 'where to create session folders, from the root of the project', 'tmp/mux')
    .option('--parent-trace <id>', 'the trace id of the orchestration that started this one')
    .action(async (topic, options) => (await import('./mux.ts')).session(caller, topic, options))
  tool('signal <file>', 'Tell the orchestrator that an agent has finished: write a file in .signals.')
    .requiredOption('--path <report>', 'the path of the report, from the root of the project')
    .addOption(new Option('--status <status>').choices(['success', 'fail']).default('success'))
    .option('--size <bytes>', 'the size of the report (default: read from disk)')
    .option('--error <text>', 'what went wrong')
    .option('--trace-id <id>', 'the trace id (default: the one of the session)')
    .option('--version <version>', 'the version of the report')
    .option('--previous <signal>', 'the signal that this one follows')
    .action(async (file, options) => (await import('./mux.ts')).signal(caller, file, options))
  tool(`verify ${session} [action]`, 'Show what the agents of a session have signalled.')
    .addOption(new Option('--action <action>', 'what to show').choices([...ACTIONS]))
    .option('--expected <n>', 'how many agents must have signalled')
    .addHelpText(
      'after',
      `\nsession-dir: the folder that \`mux session\` printed\n             (default: the running orchestration)\nactions: ${ACTIONS.join(', ')}.`,
    )
    .action(async (dir, action, options) =>
      (await import('./mux-look.ts')).verifySession(caller, dir, action, options),
    )
  tool(`check-signals ${session}`, 'Check once: exit code 0 only if all agents have signalled success.')
    .requiredOption('--expected <n>', 'how many agents must have signalled')
    .action(async (dir, options) => (await import('./mux-look.ts')).muxCheck(caller, dir, options))
  addAgents(caller, mux, home)
  tool('extract-summary <report>', 'Print a report in at most 1,024 bytes: headings and Executive Summary.')
    .option('--evidence', 'print only facts about the file, as JSON')
    .option('--max-bytes <n>', 'less than 1,024')
    .action(async (report, options) => (await import('./mux-look.ts')).summary(caller, report, options))
  tool(`deactivate ${session}`, 'End the orchestration. No agent may be running.')
    .option('--session <id>', 'the session of the agent program (default: the one of the caller)')
    .addOption(home)
    .action(async (dir, options) => (await import('./mux-end.ts')).deactivate(caller, dir, options))
  tool(
    `audit ${session}`,
    'Check whether an orchestration followed the rules; exit code 1 if there is a critical problem.',
  )
    .addOption(new Option('--phase <phase>', 'only this part').choices([...PHASES]))
    .option('--session <id>', 'only this session of the agent program')
    .addOption(home)
    .action(async (dir, options) => (await import('./mux-audit.ts')).muxAudit(caller, dir, options))
}

function addAgents(caller: Caller, mux: Command, home: Option): void {
  const agents = mux.command('agents').description('Manage the list of agents in a session.')
  agents
    .command('register <session-dir> <agent-id>')
    .description('Add an agent that was started.')
    .requiredOption('--output-file <report>', 'the report it will write')
    .option('--model <model>', 'its model', 'sonnet')
    .option('--role <role>', 'researcher, auditor, sentinel, …', '')
    .option('--task-summary <text>', 'its task, in a few words', '')
    .option('--json', 'print one JSON object')
    .action(async (dir, id, options) => (await import('./mux.ts')).register(caller, dir, id, options))
  agents
    .command('list [session-dir]')
    .description('List all agents.')
    .option('--session <id>', 'the session of the agent program (default: the one of the caller)')
    .option('--json', 'print one JSON object')
    .addOption(home)
    .action(async (dir, options) => (await import('./mux-look.ts')).agents(caller, dir, undefined, options))
  agents
    .command('get <session-dir> <agent-id>')
    .description('Print one agent as JSON.')
    .option('--session <id>', 'the session of the agent program (default: the one of the caller)')
    .addOption(home)
    .action(async (dir, id, options) => (await import('./mux-look.ts')).agents(caller, dir, id, options))
}
