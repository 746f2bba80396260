import { type Answer, type Failure, isFailure } from '../../decision.ts'
import { good, type Result } from '../../errors.ts'
import { toolOf } from '../../event.ts'
import { type JsonObject, textAt } from '../../json.ts'
import { withDebugLines } from '../../orchestrator/debug-lines.ts'
import { asksHoldpoint } from '../../sources/own-call.ts'
import type { Call, Handler, HandlerTools } from '../handler.ts'
import { readOutput } from '../output.ts'
import { inNameOf, PROTOCOLS, type Protocol, spellEvent } from '../spelling.ts'
import { functionProgram } from './function.ts'
import { type Program, resolveProgram } from './program.ts'
import { EXIT_IMPORT, pythonProgram } from './python.ts'
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
      if (!hook.trusted) return { failure: 'untrusted', message: `${command} waits for \`holdpoint trust\`` }
      const args = Array.isArray(hook.run.args) ? hook.run.args.map(String) : undefined
      const root = textAt(hook.run, 'root')
      const isFunction = hook.run.function === true
      const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
      return (call) => {
        const from = root ?? call.facts.project
        const callable = python === undefined ? undefined : pythonProgram(python, from)
        const found = callable ?? (isFunction ? functionProgram(command, from) : undefined)
        const program = found === undefined ? resolveProgram(command, args, from) : good(found)
        const start = {
          program,
          root: from,
          protocol,
          isPython: python !== undefined,
          skill: hook.actor.skill,
        }
        const outcome = runHook(start, call, tools)
        return hook.run.debug === true ? outcome.then((answer) => debugged(answer, call)) : outcome
      }
    },
  }
}

interface Start {
  readonly program: Result<Program>
  readonly root: string
  readonly protocol: Protocol
  readonly isPython: boolean
  /** The skill the hook is for: whatever else is active, it is asked in its name. */
  readonly skill: string | undefined
}

async function runHook(
  { program, root, protocol, isPython, skill }: Start,
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
      ...call.facts.env,
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
  const answer = readOutput(output, call.event)
  const isNotThere = isPython && output.exitCode === EXIT_IMPORT
  return isNotThere && answer !== null && isFailure(answer) ? { ...answer, failure: 'import' } : answer
}

function debugged(outcome: Answer | Failure | null, { event }: Call): Answer | Failure | null {
  return isFailure(outcome) ? outcome : withDebugLines(toolOf(event), outcome)
}

/**
 * The plain fields of the event again, for scripts that do not read JSON. All are set, so that none is the caller's;
 * no program starts with a NUL or a book in there.
 */
function massgenVariables(event: JsonObject): Readonly<Record<string, string>> {
  const fields = ['hook_type', 'session_id', 'orchestrator_id', 'agent_id', 'tool_name']
  return Object.fromEntries(
    fields.map((field) => {
      const text = textAt(event, field)?.replaceAll('\0', '') ?? ''
      return [`MASSGEN_${field.toUpperCase()}`, text.slice(0, VARIABLE_MAX_CHARACTERS)]
    }),
  )
}

const VARIABLE_MAX_CHARACTERS = 4_096
