import type { HookEntry } from '../core/layer.ts'
import { startedLine } from './kind-of.ts'

/**
 * Whether an entry starts Holdpoint: as `holdpoint hook`, by its path, or through `npx`. As a hook it would check the event
 * again, start itself again, and never end. The agent runs such an entry itself, and that call arrives as a separate
 * event.
 */
export function asksHoldpoint({ run }: Pick<HookEntry, 'run'>): boolean {
  const line = startedLine(run)
  return line !== undefined && CALL.test([line.command, ...(line.args ?? [])].join(' '))
}

const CALL = /(?:^|[\s'"/\\;&|(])holdpoint(?:@[\w.-]+|\.cjs)?['"]?\s+['"]?hook(?![\w./-])/
