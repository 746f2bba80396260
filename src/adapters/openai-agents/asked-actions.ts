import type { CallGate } from '../call-gate.ts'
import type { CallVerdict, GuardedCall } from '../judge-call.ts'
import type { AnyContext } from './sdk-types.ts'

/**
 * The SDK calls `needsApproval` with an action, and later runs the same object without its id. An action that was never
 * seen here was approved before: the SDK asks only once.
 */
export interface AskedActions<Action extends object> {
  needsApproval(runContext: AnyContext, action: Action, callId?: string): Promise<boolean>
  begin(action: Action): Promise<{ readonly verdict: CallVerdict; readonly call: GuardedCall }>
}

export function createAskedActions<Action extends object>(
  gate: CallGate,
  signal: AbortSignal | undefined,
  callOf: (action: Action, callId: string) => GuardedCall,
  ownQuestion: (runContext: AnyContext, action: Action, callId?: string) => Promise<boolean>,
): AskedActions<Action> {
  const ids = new WeakMap<Action, { readonly callId: string; readonly isAsked: boolean }>()
  return {
    async needsApproval(runContext, action, callId) {
      const { verdict, isAsked } = await gate.before(callOf(action, callId ?? ''), {
        signal,
        hasYes: false,
        runsElsewhere: false,
        ownQuestion: (checked) => ownQuestion(runContext, checked as Action, callId),
      })
      const needed = verdict.kind !== 'stop' && isAsked
      ids.set(action, { callId: callId ?? '', isAsked: needed })
      return needed
    },
    async begin(action) {
      const known = ids.get(action)
      const call = callOf(action, known?.callId ?? '')
      // An action that runs although its question was asked has a yes.
      const hasYes = known === undefined || known.isAsked
      return { call, verdict: await gate.begin(call, { signal, hasYes }) }
    },
  }
}
