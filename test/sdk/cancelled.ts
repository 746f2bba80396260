import type { Scenario } from '../../src/adapters/scenarios.contract.ts'

/** A signal that is aborted as soon as a hook of the scene has written to the log. */
export function cancelOnceLogged(scene: Scenario, log: readonly string[]): AbortSignal {
  const controller = new AbortController()
  if (scene.cancelled !== true) return controller.signal
  const look = setInterval(() => {
    if (log.length === 0) return
    clearInterval(look)
    controller.abort(new Error('cancelled by the test'))
  }, 5)
  return controller.signal
}
