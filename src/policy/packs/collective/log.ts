import type { Note } from '../../../core/decision.ts'
import type { Facts } from '../../../core/facts.ts'
import type { CollectiveOptions } from './options.ts'

/** The hooks, with the names of their log files. */
export type HookName =
  | 'load-behavioral-system'
  | 'block-destructive-commands'
  | 'block-sensitive-files'
  | 'semantic-docs-update-hook'
  | 'test-driven-handoff'
  | 'pre-compact-state'
  | 'subagent-context-inject'

const MESSAGE_CHARACTERS_MAX = 1_000

/** `[YYYY-MM-DD HH:MM:SS] message`, always on one line. */
export function logNote(
  hook: HookName,
  message: string,
  facts: Pick<Facts, 'now' | 'env'>,
  { tmpLogs }: Pick<CollectiveOptions, 'tmpLogs'>,
): Note {
  const line = message.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  const text = `[${localTime(facts)}] ${line.slice(0, MESSAGE_CHARACTERS_MAX)}`
  return { kind: 'log', path: hook, text, ...(tmpLogs ? { inTmp: true } : {}) }
}

/** The local time of the caller. The answering process may run in another time zone. */
function localTime({ now, env }: Pick<Facts, 'now' | 'env'>): string {
  const timeZone = env.TZ?.replace(/^:/, '')
  const wanted = timeZone === undefined || timeZone === '' ? {} : { timeZone }
  try {
    return spelled(now(), wanted)
  } catch {
    // Not a valid time zone name.
    return spelled(now(), {})
  }
}

function spelled(at: Date, zone: { readonly timeZone?: string }): string {
  const parts = new Intl.DateTimeFormat('en', {
    ...zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}
