import { type Answer, type Failure, isFailure } from '../../core/decision.ts'
import { toolOf } from '../../core/event.ts'
import {
  type Handler,
  type HandlerCall,
  type HandlerTools,
  onStopOf,
  type Runner,
} from '../../core/handler.ts'
import type { Hook } from '../../core/hook.ts'
import { type Json, type JsonObject, textAt } from '../../core/json.ts'
import { withDebugLines } from '../../policy/mux/debug-lines.ts'
import { moduleFiles } from '../../system/module-files.ts'
import type { ModuleRequest } from '../../system/modules/host/protocol.ts'
import type { Pool } from '../../system/modules/pool.ts'
import { type ModuleCall, moduleRunner } from '../../system/modules/run-module.ts'
import { placeForModules } from '../module-place.ts'
import { readAnswer } from '../read-answer.ts'
import { asMatched, inNameOf, PROTOCOLS, spellEvent } from '../spelling.ts'

/** Runs a function of a TypeScript or JavaScript file, in a separate process. */
export function create(tools: HandlerTools): Handler {
  return createModuleHandler(undefined, tools)
}

type Tools = Pick<HandlerTools, 'searchPath'>

export function createModuleHandler(pool: Pool | undefined, tools: Tools): Handler {
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

function runnerFor(module: string, hook: Hook, pool: Pool | undefined, tools: Tools): Runner {
  const root = textAt(hook.run, 'root')
  const run = moduleRunner(module, pool)
  // What one file names was trusted together, so it may share a process.
  const group = `${hook.rank} ${hook.origin.file}`
  return async (call) => {
    const { facts } = call
    const asked: ModuleCall = {
      group,
      root: root ?? facts.project,
      place: placeForModules(facts, root, tools),
      ask: requestFor(hook, call),
    }
    const outcome = await run(asked, onStopOf(call))
    const answer = named(module, 'answer' in outcome ? returnedBy(hook, outcome.answer) : outcome)
    if (hook.run.debug !== true || isFailure(answer)) return answer
    return withDebugLines(toolOf(call.event), answer)
  }
}

function requestFor(hook: Hook, call: HandlerCall): ModuleCall['ask'] {
  return {
    export: textAt(hook.run, 'export'),
    args: argumentsFor(hook, call),
    event: call.event as unknown as JsonObject,
    shared: sharedContext(call),
    own: { timeoutMs: call.timeoutMs },
  }
}

/** The same object for all hooks of an event, which is sent once. */
function sharedContext({ actor, facts, memory }: HandlerCall): JsonObject {
  if (last?.facts !== facts || last.actor !== actor || last.memory !== memory) {
    const { env, project, cwd, home } = facts
    const context = { env, project, cwd, home, actor, memory }
    last = { facts, actor, memory, context: context as unknown as JsonObject }
  }
  return last.context
}

let last: (Pick<HandlerCall, 'facts' | 'actor' | 'memory'> & { readonly context: JsonObject }) | undefined

/** A function of the tool name, its arguments and a context. It must answer. */
function isFunction({ run }: Hook): boolean {
  return run.protocol === 'mux'
}

/** Its arguments, if they are not Holdpoint's own event. */
function argumentsFor(hook: Hook, call: HandlerCall): ModuleRequest['args'] {
  const { protocol } = hook.run
  if (protocol !== 'mux' && protocol !== 'massgen') return undefined
  const spelled = spellEvent(
    asMatched(call.event, hook.match),
    inNameOf(hook.actor.skill, call.actor),
    protocol,
    call.facts.now(),
  )
  if (protocol === 'massgen') return [spelled, null, null]
  return [spelled.tool_name ?? '', spelled.tool_args ?? {}, spelled.context ?? {}]
}

function returnedBy(hook: Hook, returned: Json): Answer | Failure | null {
  if (isFunction(hook) && returned === null) {
    return { failure: 'invalidOutput', message: 'returned nothing instead of an action' }
  }
  const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
  return readAnswer(returned, { kind: 'function', protocol })
}

function named(module: string, outcome: Answer | Failure | null): Answer | Failure | null {
  if (outcome === null || !isFailure(outcome)) return outcome
  return { failure: outcome.failure, message: `${module}: ${outcome.message}` }
}
