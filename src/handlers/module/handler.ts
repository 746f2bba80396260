import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { type Answer, type Failure, isFailure } from '../../core/decision.ts'
import { toolOf } from '../../core/event.ts'
import type { Handler, HandlerCall, HandlerTools, Runner } from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import { type Json, type JsonObject, textAt } from '../../core/json.ts'
import { withDebugLines } from '../../policy/mux/debug-lines.ts'
import { type ModuleFiles, moduleFiles } from '../../system/module-files.ts'
import { programFile } from '../../system/package.ts'
import { isPlanFresh, type Stamp, stampOf } from '../../system/plan-cache.ts'
import { readAnswer } from '../read-answer.ts'
import { asMatched, inNameOf, PROTOCOLS, spellEvent } from '../spelling.ts'
import type { ModuleRequest } from './host/protocol.ts'
import { createPool, type Pool } from './pool.ts'

const PROCESSES_MAX = 8
const IDLE_MS = 60_000

/** One for all plans of this program: the limit is for the machine, not for a project. */
const shared = createPool(PROCESSES_MAX, IDLE_MS)

/** Runs a function of a TypeScript or JavaScript file, in a separate process. */
export function create(tools: HandlerTools): Handler {
  return createModuleHandler(shared, tools)
}

type Tools = Pick<HandlerTools, 'searchPath'>

export function createModuleHandler(pool: Pool, tools: Tools): Handler {
  return {
    type: 'module',
    prepare(hook) {
      const module = textAt(hook.run, 'module')
      if (module === undefined) return { failure: 'import', message: 'the hook names no module' }
      if (!hook.trusted) {
        const root = textAt(hook.run, 'root')
        // In a MassGen file, a handler that cannot be resolved is an error that is reported at once, trusted or not.
        return hook.run.protocol === 'massgen' && moduleFiles(module, root ?? '/').entry === undefined
          ? { failure: 'import', message: `there is no module ${module}` }
          : { failure: 'untrusted', message: `to review ${module}, run \`holdpoint trust\`` }
      }
      return runnerFor(module, hook, pool, tools)
    },
  }
}

function runnerFor(module: string, hook: Hook, pool: Pool, tools: Tools): Runner {
  const root = textAt(hook.run, 'root')
  const look = lookAgain(module)
  return async (call) => {
    const found = look(root ?? call.facts.project)
    if (found.entry === undefined) return { failure: 'import', message: `there is no module ${module}` }
    const program = programFile('module-host')
    if (!existsSync(program)) {
      return {
        failure: 'import',
        message: 'Holdpoint is not installed completely: module-host.cjs is missing',
      }
    }
    const cwd = folderFor(call, root)
    const env = scrubbed(call, tools)
    const job = {
      key: JSON.stringify([cwd, env, program, found.entry, found.stamps]),
      program,
      cwd,
      env,
      reusable: found.isClear,
      request: requestFor(found.entry, found.isNative, hook, call),
    }
    const outcome = await pool.run(job, call.signal)
    const answer = named(module, 'answer' in outcome ? returnedBy(hook, outcome.answer) : outcome)
    if (hook.run.debug !== true || isFailure(answer)) return answer
    return withDebugLines(toolOf(call.event), answer)
  }
}

interface Look extends ModuleFiles {
  readonly stamps: readonly Stamp[]
}

/** The current state of the module. It is read again only if one of its files has changed. */
function lookAgain(module: string): (root: string) => Look {
  let last: { readonly root: string; readonly look: Look } | undefined
  return (root) => {
    if (last?.root === root && last.look.stamps.length > 0 && isPlanFresh(last.look)) return last.look
    const files = moduleFiles(module, root)
    last = { root, look: { ...files, stamps: files.files.map(stampOf) } }
    return last.look
  }
}

function requestFor(file: string, isNative: boolean, hook: Hook, call: HandlerCall): ModuleRequest {
  const name = textAt(hook.run, 'export')
  const { event, actor, facts, memory, timeoutMs } = call
  const { env, project, cwd, home } = facts
  const context = { env, project, cwd, home, actor, timeoutMs, ...(memory === undefined ? {} : { memory }) }
  return {
    id: randomBytes(8).toString('hex'),
    file,
    loader: isNative ? 'native' : 'typescript',
    ...(name === undefined ? {} : { export: name }),
    ...argumentsFor(hook, call),
    event: event as unknown as JsonObject,
    context: context as unknown as JsonObject,
  }
}

/** A function of the tool name, its arguments and a context. It must answer. */
function isFunction({ run }: Hook): boolean {
  return run.protocol === 'mux'
}

/** Its arguments, if they are not Holdpoint's own event. */
function argumentsFor(hook: Hook, call: HandlerCall): Pick<ModuleRequest, 'args'> {
  const { protocol } = hook.run
  if (protocol !== 'mux' && protocol !== 'massgen') return {}
  const spelled = spellEvent(
    asMatched(call.event, hook.match),
    inNameOf(hook.actor.skill, call.actor),
    protocol,
    call.facts.now(),
  )
  if (protocol === 'massgen') return { args: [spelled, null, null] }
  return { args: [spelled.tool_name ?? '', spelled.tool_args ?? {}, spelled.context ?? {}] }
}

function returnedBy(hook: Hook, returned: Json): Answer | Failure | null {
  if (isFunction(hook) && returned === null) {
    return { failure: 'invalidOutput', message: 'returned nothing instead of an action' }
  }
  const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
  return readAnswer(returned, { kind: 'function', protocol })
}

/**
 * The variables that any process needs. The caller's environment is data in the context, with a new or a kept
 * process.
 */
function scrubbed(call: HandlerCall, tools: Tools): Readonly<Record<string, string>> {
  const { env, home } = call.facts
  const kept = KEPT.flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const path = tools.searchPath(env.PATH)
  return { HOME: home, ...(path === undefined ? {} : { PATH: path }), ...Object.fromEntries(kept) }
}

const KEPT: readonly string[] = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'SystemRoot', 'USERPROFILE']

function folderFor(call: HandlerCall, root: string | undefined): string {
  return [call.facts.project, root ?? ''].find(isFolder) ?? '/'
}

function isFolder(path: string): boolean {
  return path !== '' && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}

function named(module: string, outcome: Answer | Failure | null): Answer | Failure | null {
  if (outcome === null || !isFailure(outcome)) return outcome
  return { failure: outcome.failure, message: `${module}: ${outcome.message}` }
}
