import type { Json } from '../../core/json.ts'
import type { HookEntry } from '../../core/layer.ts'

/**
 * Whether an entry starts Holdpoint: as `holdpoint hook`, by its path, or through `npx`. As a hook it would check the event
 * again, start itself again, and never end. The agent runs such an entry itself, and that call arrives as a separate
 * event.
 */
export function asksHoldpoint({ run }: Pick<HookEntry, 'run'>): boolean {
  if (run.type !== 'command') return false
  const words: readonly Json[] = [run.command ?? '', ...(Array.isArray(run.args) ? run.args : [])]
  return CALL.test(words.join(' '))
}

const CALL = /(?:^|[\s'"/\\;&|(])holdpoint(?:@[\w.-]+|\.cjs)?['"]?\s+['"]?hook(?![\w./-])/
