import type { Answer, Failure } from '../../decision.ts'
import { textAt } from '../../json.ts'
import type { Call, Handler, HandlerTools } from '../handler.ts'
import { readOutput } from '../output.ts'
import { PROTOCOLS, type Protocol, spellEvent } from '../spelling.ts'
import { resolveProgram } from './program.ts'
import { runProgram } from './run.ts'

/**
 * Runs any program: the event as JSON on its standard input, its answer from standard output and exit code. The
 * program is looked up at every run, because a script may appear, vanish or change between two events.
 */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'command',
    prepare(hook) {
      const command = textAt(hook.run, 'command')
      if (command === undefined) return { failure: 'import', message: 'the hook names no command' }
      if (!hook.trusted) return { failure: 'untrusted', message: `${command} waits for \`holdpoint trust\`` }
      const args = Array.isArray(hook.run.args) ? hook.run.args.map(String) : undefined
      const root = textAt(hook.run, 'root')
      const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
      return (call) => runHook(command, args, root ?? call.facts.project, protocol, call, tools)
    },
  }
}

async function runHook(
  command: string,
  args: readonly string[] | undefined,
  root: string,
  protocol: Protocol,
  call: Call,
  tools: HandlerTools,
): Promise<Answer | Failure | null> {
  const program = resolveProgram(command, args, root)
  if (!program.ok) return { failure: 'import', message: program.problem.message }
  const path = tools.searchPath(call.facts.env.PATH)
  const output = await runProgram({
    ...program.value,
    cwd: call.event.cwd,
    fallbackCwd: root,
    env: {
      CLAUDE_PROJECT_DIR: call.facts.project,
      ...call.facts.env,
      ...(path === undefined ? {} : { PATH: path }),
    },
    stdin: `${JSON.stringify(spellEvent(call.event, call.actor, protocol, call.facts.now()))}\n`,
    signal: call.signal,
  })
  return 'failure' in output ? output : readOutput(output, call.event)
}
