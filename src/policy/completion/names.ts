import type { Actor } from '../../core/actor.ts'
import type { Event } from '../../core/event.ts'
import type { Facts } from '../../core/facts.ts'

/** The values of the placeholders in a path. A missing one is unknown, or cannot be part of a path. */
export interface Names {
  readonly agentType?: string
  readonly session?: string
  /** Today's date and, if different, the date of the start. Local time. */
  readonly dates: readonly string[]
}

export function placeholdersOf(
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

/** A single part of a path, or undefined. The model chooses the names, and they must not lead to another folder. */
export function asFolder(name: string): string | undefined {
  const step = name.replace(/[:/]/g, '-')
  return /^[A-Za-z0-9._-]{1,128}$/.test(step) && !/^\.+$/.test(step) ? step : undefined
}

export const PLACEHOLDERS: readonly string[] = ['agent_type', 'session', 'date']

/** Every path that a template may mean, today's first. Undefined if a required name is unknown. */
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
 * The date in the caller's time zone, as `date +%F` would print it for the agent. The answering process may have
 * another time zone: a daemon does not have the caller's variables.
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
    // Not a valid time zone name.
    return undefined
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
