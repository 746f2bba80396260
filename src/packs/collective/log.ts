import type { Note } from '../../decision.ts'
import type { Facts } from '../../facts.ts'
import type { CollectiveOptions } from './options.ts'

/** The hooks as their logs are called. */
export type HookName =
  | 'load-behavioral-system'
  | 'block-destructive-commands'
  | 'block-sensitive-files'
  | 'semantic-docs-update-hook'
  | 'test-driven-handoff'
  | 'pre-compact-state'
  | 'subagent-context-inject'

const MESSAGE_CHARACTERS_MAX = 1_000

/** `[YYYY-MM-DD HH:MM:SS] message`, on one line whatever the message holds. */
export function logNote(
  hook: HookName,
  message: string,
  facts: Pick<Facts, 'now' | 'env'>,
  { tmpLogs }: Pick<CollectiveOptions, 'tmpLogs'>,
): Note {
  const line = message.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  const text = `[${localTime(facts)}] ${line.slice(0, MESSAGE_CHARACTERS_MAX)}`
  return { put: 'log', path: hook, text, ...(tmpLogs ? { inTmp: true } : {}) }
}

/** The time where the caller is. Whoever answers may run under another time zone. */
function localTime({ now, env }: Pick<Facts, 'now' | 'env'>): string {
  const timeZone = env.TZ?.replace(/^:/, '')
  const wanted = timeZone === undefined || timeZone === '' ? {} : { timeZone }
  try {
    return spelled(now(), wanted)
  } catch {
    // Not the name of a zone.
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
