import type { HookEntry } from '../config.ts'
import type { Json } from '../json.ts'

/**
 * Whether an entry asks Holdpoint: as `holdpoint hook`, by its path, or through `npx`. Started as a hook it would
 * judge the event again, meet itself, and never end. The agent runs such an entry itself, and that call arrives as an
 * event of its own.
 */
export function asksHoldpoint({ run }: Pick<HookEntry, 'run'>): boolean {
  if (run.type !== 'command') return false
  const words: readonly Json[] = [run.command ?? '', ...(Array.isArray(run.args) ? run.args : [])]
  return CALL.test(words.join(' '))
}

const CALL = /(?:^|[\s'"/\\;&|(])holdpoint(?:@[\w.-]+|\.cjs)?['"]?\s+['"]?hook(?![\w./-])/
