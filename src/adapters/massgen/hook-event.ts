import { HoldpointError } from '../../core/errors.ts'
import { type MassGenEvent as Fields, readHookEvent } from '../../core/formats/massgen-event.ts'

export type HookEvent = Fields

/**
 * Creates events, and converts them to and from JSON. They are plain objects that any JSON parser can read.
 */
export const HookEvent = {
  /** From any object with these fields; missing ones get their default. Throws if a field is wrong. */
  from(fields: unknown): HookEvent {
    const read = readHookEvent(fields, new Date().toISOString())
    if (!read.ok) throw new HoldpointError(read.problem)
    return read.value
  },

  parse(json: string): HookEvent {
    return HookEvent.from(JSON.parse(json))
  },

  stringify(event: HookEvent): string {
    return JSON.stringify(event)
  },
}
