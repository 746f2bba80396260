import type { HookEvent } from '../../library/hook-event.ts'
import type { HookResult } from '../../library/hook-result.ts'
import type { Runtime } from '../../library/runtime.ts'
import { type CallGate, createCallGate } from '../call-gate.ts'
import type { GuardContext } from '../judge-call.ts'
import type { Ask } from '../question.ts'
import type { RunCourier } from './courier.ts'

/** What all agents of one run share. */
export interface RunGuard {
  readonly runtime: Pick<Runtime, 'evaluate'>
  readonly session: string | undefined
  readonly cwd: string | undefined
  readonly courier: RunCourier
  /** False: the program has no courier, so messages are added to the result of a call. */
  readonly sendsMessages: boolean
  readonly ask: Ask | undefined
  readonly signal: AbortSignal | undefined
  readonly unguarded: readonly string[]
  notify(notice: string): void
}

/** One agent of a run. */
export interface RunAgent {
  readonly run: RunGuard
  /** Its name in the SDK. */
  readonly name: string
  readonly context: GuardContext
  readonly gate: CallGate
}

/** `agent`: the name that hooks see. Undefined: the main agent. */
export function createRunAgent(
  run: RunGuard,
  name: string,
  who: Pick<HookEvent, 'agent' | 'agentType'>,
): RunAgent {
  const { session, cwd, courier, sendsMessages, runtime, notify } = run
  const context: GuardContext = {
    runtime,
    who: {
      ...(session === undefined ? {} : { session }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(who.agent === undefined ? {} : { agent: who.agent }),
      ...(who.agentType === undefined ? {} : { agentType: who.agentType }),
    },
    courier: {
      send: (text) => courier.send(name, text),
      halt: (why) => courier.halt(why),
      halted: () => courier.halted(),
    },
    sendsMessages,
    notify,
  }
  return { run, name, context, gate: createCallGate(context, run.ask) }
}

/** What hooks say at an event that is not a call. Without a courier the user gets the texts, so that none is lost. */
export function deliver(context: GuardContext, { injections, notices, halt }: HookResult): void {
  for (const text of [...injections.tool_result, ...injections.user_message]) {
    if (context.sendsMessages) context.courier.send(text)
    else context.notify(text)
  }
  for (const notice of notices) context.notify(notice)
  if (halt !== undefined) context.courier.halt(halt)
}
