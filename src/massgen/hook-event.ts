import { HoldpointError } from '../errors.ts'
import { type HookEvent as Fields, readHookEvent } from './event-fields.ts'

export type HookEvent = Fields

/** Makes events, and moves them in and out of JSON. They are plain objects: any JSON parser reads them. */
export const HookEvent = {
  /** From any object with these fields; what is left out has its default. Throws what is wrong with it. */
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
