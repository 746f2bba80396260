import { type Answer, type Failure, isFailure } from '../../core/decision.ts'
import { good, type Result } from '../../core/errors.ts'
import { toolOf } from '../../core/event.ts'
import type { Handler, HandlerCall, HandlerTools, Runner } from '../../core/handler.ts'
import type { Hook, Matcher } from '../../core/hook.ts'
import { textAt } from '../../core/json.ts'
import { withDebugLines } from '../../policy/mux/debug-lines.ts'
import { readOutput } from '../output.ts'
import { asksHoldpoint } from '../own-call.ts'
import { asMatched, inNameOf, PROTOCOLS, type Protocol, spellEvent } from '../spelling.ts'
import { massgenVariables, onlyNamed } from './environment.ts'
import { functionProgram } from './function.ts'
import { whyMissing, whyNotImportable } from './presence.ts'
import { type CommandProgram, resolveProgram } from './program.ts'
import { EXIT_IMPORT, isPythonName, pythonProgram } from './python.ts'
import { isWorkFolder, type ProgramStart, runProgram } from './run.ts'
import { type PythonPool, pythonPool } from './warm-python/pool.ts'

/**
 * Runs any program: the event as JSON on its standard input, its answer from standard output and exit code. The
 * program is looked up at every run, because a script may appear, disappear or change between two events.
 */
export function create(tools: HandlerTools): Handler {
  return createCommandHandler(tools, pythonPool)
}

export function createCommandHandler(tools: HandlerTools, pool: PythonPool): Handler {
  return {
    type: 'command',
    prepare(hook) {
      const python = textAt(hook.run, 'python')
      const command = python ?? textAt(hook.run, 'command')
      if (command === undefined) return { failure: 'import', message: 'the hook names no command' }
      if (asksHoldpoint(hook)) return { failure: 'import', message: `${command} starts Holdpoint itself` }
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
        // In MassGen files, a handler that cannot be resolved is an error in the file; a shell would report a failed command.
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
          python,
          mustAnswer: isFunction,
          skill: hook.actor.skill,
          match: hook.match,
          envNames,
        }
        const outcome = runHook(start, call, tools, pool)
        return hook.run.debug === true ? outcome.then((answer) => debugged(answer, call)) : outcome
      }
    },
  }
}

function argsOf({ run }: Hook): readonly string[] | undefined {
  return Array.isArray(run.args) ? run.args.map(String) : undefined
}

/** An untrusted hook. In MassGen files a handler that cannot be resolved is reported at once, trusted or not. */
function waiting(hook: Hook, command: string, protocol: Protocol, tools: HandlerTools): Runner | Failure {
  const waits: Failure = { failure: 'untrusted', message: `to review ${command}, run \`holdpoint trust\`` }
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
  readonly program: Result<CommandProgram>
  readonly root: string
  readonly protocol: Protocol
  /** The dotted path of a Python function. */
  readonly python: string | undefined
  /** Printing nothing is not an answer: its protocol has a word for "continue". */
  readonly mustAnswer: boolean
  /** The skill of the hook. It gets this skill even if others are active too. */
  readonly skill: string | undefined
  readonly match: Matcher
  /** The variables of the caller it gets in addition to the usual ones. Undefined: all. */
  readonly envNames: readonly string[] | undefined
}

async function runHook(
  { program, root, protocol, python, mustAnswer, skill, match, envNames }: Start,
  call: HandlerCall,
  tools: HandlerTools,
  pool: PythonPool,
): Promise<Answer | Failure | null> {
  if (!program.ok) return { failure: 'import', message: program.problem.message }
  const path = tools.searchPath(call.facts.env.PATH)
  const event = asMatched(call.event, match)
  const spelled = spellEvent(event, inNameOf(skill, call.actor), protocol, call.facts.now())
  const { file, args, isAnywhere } = program.value
  // Never the current folder of the agent: the trusted files are those below this root.
  const cwd = isAnywhere && isWorkFolder(call.facts.project) ? call.facts.project : root
  const variables = protocol === 'massgen' ? massgenVariables(spelled) : {}
  const start: ProgramStart = {
    file,
    args,
    cwd,
    env: {
      ...(envNames === undefined ? call.facts.env : onlyNamed(call.facts.env, envNames)),
      PWD: cwd,
      OLDPWD: undefined,
      // Our own value, whatever the caller sets, because the trusted files were looked up there.
      CLAUDE_PROJECT_DIR: call.facts.project,
      ...variables,
      ...(path === undefined ? {} : { PATH: path }),
    },
    stdin: `${JSON.stringify(spelled)}\n`,
    signal: call.signal,
  }
  // Elsewhere a fork of a running Python is not safe.
  const isWarm = python !== undefined && call.facts.platform === 'linux'
  const output = isWarm
    ? await pool.run({ cold: start, root, name: python, variables })
    : await runProgram(start)
  if ('failure' in output) return output
  if (mustAnswer && output.exitCode === 0 && output.stdout.trim() === '') {
    return { failure: 'invalidOutput', message: 'ended without an answer, such as {"action": "allow"}' }
  }
  const answer = readOutput(output, call.event, protocol)
  const isNotThere = python !== undefined && output.exitCode === EXIT_IMPORT
  return isNotThere && answer !== null && isFailure(answer) ? { ...answer, failure: 'import' } : answer
}

function debugged(outcome: Answer | Failure | null, { event }: HandlerCall): Answer | Failure | null {
  return isFailure(outcome) ? outcome : withDebugLines(toolOf(event), outcome)
}
