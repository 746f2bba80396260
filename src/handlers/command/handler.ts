import { type Answer, type Failure, isFailure } from '../../decision.ts'
import { good, type Result } from '../../errors.ts'
import { toolOf } from '../../event.ts'
import type { Hook } from '../../hook.ts'
import { textAt } from '../../json.ts'
import { withDebugLines } from '../../orchestrator/debug-lines.ts'
import { asksHoldpoint } from '../../sources/own-call.ts'
import type { Call, Handler, HandlerTools, Runner } from '../handler.ts'
import { type ProgramOutput, readOutput } from '../output.ts'
import { inNameOf, PROTOCOLS, type Protocol, spellEvent } from '../spelling.ts'
import { massgenVariables, onlyNamed } from './environment.ts'
import { functionProgram } from './function.ts'
import { whyMissing, whyNotImportable } from './presence.ts'
import { type Program, resolveProgram } from './program.ts'
import { EXIT_IMPORT, isPythonName, pythonProgram } from './python.ts'
import { isFolder, runProgram } from './run.ts'

/**
 * Runs any program: the event as JSON on its standard input, its answer from standard output and exit code. The
 * program is looked up at every run, because a script may appear, vanish or change between two events.
 */
export function create(tools: HandlerTools): Handler {
  return {
    type: 'command',
    prepare(hook) {
      const python = textAt(hook.run, 'python')
      const command = python ?? textAt(hook.run, 'command')
      if (command === undefined) return { failure: 'import', message: 'the hook names no command' }
      if (asksHoldpoint(hook)) return { failure: 'import', message: `${command} asks Holdpoint itself` }
      if (python !== undefined && !isPythonName(python)) {
        return { failure: 'import', message: `${python} names no function of a module` }
      }
      const args = argsOf(hook)
      const root = textAt(hook.run, 'root')
      const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
      if (!hook.trusted) return waiting(hook, command, protocol, tools)
      const isFunction = hook.run.function === true
      const envNames = Array.isArray(hook.run.env) ? hook.run.env.map(String) : undefined
      return (call) => {
        const from = root ?? call.facts.project
        const callable = python === undefined ? undefined : pythonProgram(python, from)
        const found = callable ?? (isFunction ? functionProgram(command, from) : undefined)
        // In MassGen files what cannot be resolved is a mistake in the file; a shell would call it a failed command.
        const isChecked = found === undefined && protocol === 'massgen'
        const why = isChecked
          ? whyMissing(command, args, from, tools.searchPath(call.facts.env.PATH))
          : undefined
        if (why !== undefined) return { failure: 'import', message: `${command}: ${why}` }
        const program = found === undefined ? resolveProgram(command, args, from) : good(found)
        const start = {
          program,
          root: from,
          protocol,
          isPython: python !== undefined,
          mustAnswer: isFunction,
          skill: hook.actor.skill,
          envNames,
        }
        const outcome = runHook(start, call, tools)
        return hook.run.debug === true ? outcome.then((answer) => debugged(answer, call)) : outcome
      }
    },
  }
}

function argsOf({ run }: Hook): readonly string[] | undefined {
  return Array.isArray(run.args) ? run.args.map(String) : undefined
}

/** A hook nobody vouched for. In MassGen files a handler that cannot be resolved counts at once, whoever wrote it. */
function waiting(hook: Hook, command: string, protocol: Protocol, tools: HandlerTools): Runner | Failure {
  const waits: Failure = { failure: 'untrusted', message: `${command} waits for \`holdpoint trust\`` }
  if (protocol !== 'massgen') return waits
  return ({ facts }) => {
    const root = textAt(hook.run, 'root') ?? facts.project
    const path = tools.searchPath(facts.env.PATH)
    const why =
      hook.run.python === undefined
        ? whyMissing(command, argsOf(hook), root, path)
        : whyNotImportable(command, root, path)
    return why === undefined ? waits : { failure: 'import', message: `${command}: ${why}` }
  }
}

interface Start {
  readonly program: Result<Program>
  readonly root: string
  readonly protocol: Protocol
  readonly isPython: boolean
  /** Silence is no answer: its contract has a word for "go". */
  readonly mustAnswer: boolean
  /** The skill the hook is for: whatever else is active, it is asked in its name. */
  readonly skill: string | undefined
  /** The variables of the caller it may see beside the common ones. Undefined: all. */
  readonly envNames: readonly string[] | undefined
}

async function runHook(
  { program, root, protocol, isPython, mustAnswer, skill, envNames }: Start,
  call: Call,
  tools: HandlerTools,
): Promise<Answer | Failure | null> {
  if (!program.ok) return { failure: 'import', message: program.problem.message }
  const path = tools.searchPath(call.facts.env.PATH)
  const spelled = spellEvent(call.event, inNameOf(skill, call.actor), protocol, call.facts.now())
  const { file, args, isAnywhere } = program.value
  // Never the folder the agent is in: what was vouched for are the files this root has under those names.
  const cwd = isAnywhere && isFolder(call.facts.project) ? call.facts.project : root
  const output = await runProgram({
    file,
    args,
    cwd,
    env: {
      ...(envNames === undefined ? call.facts.env : onlyNamed(call.facts.env, envNames)),
      PWD: cwd,
      OLDPWD: undefined,
      // Ours, whatever the caller says: what was vouched for was looked up there.
      CLAUDE_PROJECT_DIR: call.facts.project,
      ...(protocol === 'massgen' ? massgenVariables(spelled) : {}),
      ...(path === undefined ? {} : { PATH: path }),
    },
    stdin: `${JSON.stringify(spelled)}\n`,
    signal: call.signal,
  })
  if ('failure' in output) return output
  if (mustAnswer && output.exitCode === 0 && output.stdout.trim() === '') {
    return { failure: 'invalidOutput', message: 'ended without an answer, such as {"action": "allow"}' }
  }
  const answer = readOutput(protocol === 'massgen' ? asResult(output) : output, call.event)
  const isNotThere = isPython && output.exitCode === EXIT_IMPORT
  return isNotThere && answer !== null && isFailure(answer) ? { ...answer, failure: 'import' } : answer
}

/** What permission hooks answered before there were results: yes or no, and nothing for "go on". */
function asResult(output: ProgramOutput): ProgramOutput {
  const said = output.stdout.trim()
  if (said === 'null') return { ...output, stdout: '' }
  return said === 'true' || said === 'false' ? { ...output, stdout: `{"allowed":${said}}` } : output
}

function debugged(outcome: Answer | Failure | null, { event }: Call): Answer | Failure | null {
  return isFailure(outcome) ? outcome : withDebugLines(toolOf(event), outcome)
}
