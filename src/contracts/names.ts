import type { Actor } from '../actor.ts'
import type { Event } from '../event.ts'
import type { Facts } from '../facts.ts'

/** What the placeholders of a path stand for. A missing one is not known, or cannot be part of a path. */
export interface Names {
  readonly agentType?: string
  readonly session?: string
  /** The date of today and, when that is another one, the date of the start. Local time. */
  readonly dates: readonly string[]
}

export function namesOf(
  event: Event,
  actor: Pick<Actor, 'agentType'>,
  facts: Facts,
  startDate: string | undefined,
): Names {
  const agentType = asFolder(actor.agentType ?? '')
  const session = asFolder(event.session)
  const today = localDate(facts)
  return {
    dates: startDate === undefined || startDate === today ? [today] : [today, startDate],
    ...(agentType === undefined ? {} : { agentType }),
    ...(session === undefined ? {} : { session }),
  }
}

/** One step of a path, or undefined: names come from the model and must not lead anywhere else. */
export function asFolder(name: string): string | undefined {
  const step = name.replace(/[:/]/g, '-')
  return /^[A-Za-z0-9._-]{1,128}$/.test(step) && !/^\.+$/.test(step) ? step : undefined
}

export const PLACEHOLDERS: readonly string[] = ['agent_type', 'session', 'date']

/** Every path a template may mean, the one of today first. Undefined: a name it needs is not known. */
export function pathsFrom(template: string, names: Names): readonly string[] | undefined {
  const needs = (placeholder: string) => template.includes(`{${placeholder}}`)
  if (needs('agent_type') && names.agentType === undefined) return undefined
  if (needs('session') && names.session === undefined) return undefined
  const named = template
    .replaceAll('{agent_type}', names.agentType ?? '')
    .replaceAll('{session}', names.session ?? '')
  return needs('date') ? names.dates.map((date) => named.replaceAll('{date}', date)) : [named]
}

/**
 * The date where the caller is, as `date +%F` would print it for the agent. Whoever answers may run under another
 * time zone: a daemon has none of the caller's variables.
 */
export function localDate({ now, env }: Pick<Facts, 'now' | 'env'>): string {
  const at = now()
  const zone = env.TZ?.replace(/^:/, '')
  const there = zone === undefined || zone === '' ? undefined : dateIn(zone, at)
  return there ?? [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
}

function dateIn(timeZone: string, at: Date): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).formatToParts(at)
    const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
    return `${part('year')}-${part('month')}-${part('day')}`
  } catch {
    // Not the name of a zone.
    return undefined
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
