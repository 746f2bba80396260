export interface Recent<Value> {
  keep(toolCallId: string, value: Value): void
  take(toolCallId: string): Value | undefined
}

/**
 * What is known about a call between two calls of the SDK. A call that is never approved stays here, so the
 * oldest are dropped.
 */
export function createRecent<Value>(): Recent<Value> {
  const kept = new Map<string, Value>()
  return {
    keep(toolCallId, value) {
      kept.set(toolCallId, value)
      if (kept.size > RECENT_MAX) kept.delete(kept.keys().next().value ?? '')
    },
    take(toolCallId) {
      const value = kept.get(toolCallId)
      kept.delete(toolCallId)
      return value
    },
  }
}

const RECENT_MAX = 1_000
