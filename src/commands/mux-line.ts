import { type Command, Option } from 'commander'
import { PHASES } from '../mux/audit.ts'
import { ACTIONS } from '../mux/verify.ts'

/** The words of `holdpoint mux`, which orchestrators and their agents type. Names that scripts rely on: keep them. */
export function addMux(program: Command, home: Option): void {
  const mux = program
    .command('mux')
    .description('Tools for an orchestrator and its agents: sessions, signals and short summaries.')
    // 1 is an answer of these tools: what they were asked wrongly must not look like one.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  const tool = (name: string, description: string) =>
    mux.command(name).description(description).option('--json', 'print one JSON object')
  const session = '[session-dir]'
  const sessionWords = 'the folder that `mux session` printed; that of the running orchestration when missing'

  tool('session <topic>', 'Begin an orchestration: a folder for reports and signals.')
    .option('--base <dir>', 'where session folders lie, from the root of the project', 'tmp/mux')
    .option('--parent-trace <id>', 'the trace of the orchestration that started this one')
    .action(async (topic, options) => (await import('./mux.ts')).session(topic, options))
  tool('signal <file>', 'Tell the orchestrator that an agent is through: a file in .signals.')
    .requiredOption('--path <report>', 'the report, from the root of the project')
    .addOption(new Option('--status <status>').choices(['success', 'fail']).default('success'))
    .option('--size <bytes>', 'the size of the report; looked up when missing')
    .option('--error <text>', 'what went wrong')
    .option('--trace-id <id>', "the trace; the session's own when missing")
    .option('--version <version>', 'the version of the report')
    .option('--previous <signal>', 'the signal this one follows')
    .action(async (file, options) => (await import('./mux.ts')).signal(file, options))
  tool(`verify ${session} [action]`, 'What the agents of a session have signalled.')
    .addOption(new Option('--action <action>', 'what to say').choices([...ACTIONS]))
    .option('--expected <n>', 'how many agents must have signalled')
    .addHelpText('after', `\nsession-dir: ${sessionWords}.\nactions: ${ACTIONS.join(', ')}.`)
    .action(async (dir, action, options) =>
      (await import('./mux-look.ts')).verifySession(dir, action, options),
    )
  tool(`check-signals ${session}`, 'One look: exit 0 only when all agents signalled success.')
    .requiredOption('--expected <n>', 'how many agents must have signalled')
    .action(async (dir, options) => (await import('./mux-look.ts')).check(dir, options))
  addAgents(mux, home)
  tool('extract-summary <report>', 'A report in at most 1,024 bytes: headings and Executive Summary.')
    .option('--evidence', 'only facts about the file, as JSON')
    .option('--max-bytes <n>', 'less than 1,024')
    .action(async (report, options) => (await import('./mux-look.ts')).summary(report, options))
  tool(`deactivate ${session}`, 'End the orchestration, once no agent is running.')
    .option('--session <id>', "the agent program's own session; that of the caller when missing")
    .addOption(home)
    .action(async (dir, options) => (await import('./mux-end.ts')).deactivate(dir, options))
  tool(`audit ${session}`, 'What went by the rules and what did not; exit 1 when something critical did not.')
    .addOption(new Option('--phase <phase>', 'only this part').choices([...PHASES]))
    .option('--session <id>', "only this session of the agent program's")
    .addOption(home)
    .action(async (dir, options) => (await import('./mux-audit.ts')).audit(dir, options))
}

function addAgents(mux: Command, home: Option): void {
  const agents = mux
    .command('agents')
    .description('The agents of a session: who was sent, and how it stands.')
  agents
    .command('register <session-dir> <agent-id>')
    .description('Note an agent that was sent.')
    .requiredOption('--output-file <report>', 'the report it will write')
    .option('--model <model>', 'its model', 'sonnet')
    .option('--role <role>', 'researcher, auditor, sentinel, …', '')
    .option('--task-summary <text>', 'its task in a few words', '')
    .option('--json', 'print one JSON object')
    .action(async (dir, id, options) => (await import('./mux.ts')).register(dir, id, options))
  agents
    .command('list [session-dir]')
    .description('All of them.')
    .option('--session <id>', "the agent program's own session; that of the caller when missing")
    .option('--json', 'print one JSON object')
    .addOption(home)
    .action(async (dir, options) => (await import('./mux-look.ts')).agents(dir, undefined, options))
  agents
    .command('get <session-dir> <agent-id>')
    .description('One of them, as JSON.')
    .option('--session <id>', "the agent program's own session; that of the caller when missing")
    .addOption(home)
    .action(async (dir, id, options) => (await import('./mux-look.ts')).agents(dir, id, options))
}
