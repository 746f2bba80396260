import type { Guard, Pack } from './guard.ts'
import { isObject, type Json, type JsonObject } from './json.ts'
import type { PackOptions } from './pack-options.ts'

/** What a pack of others says about itself, as plain data: its functions stay in the process that loaded it. */
export interface PackDescription {
  readonly id: string
  readonly title: string
  readonly options: PackOptions
  readonly guards: readonly GuardDescription[]
}

export type GuardDescription = Pick<
  Guard,
  | 'id'
  | 'title'
  | 'why'
  | 'instead'
  | 'on'
  | 'match'
  | 'modes'
  | 'skill'
  | 'knowsAgents'
  | 'undoable'
  | 'timeoutMs'
>

/** The description of a pack that `mistakeIn` accepts. */
export function describePack({ id, title, options = {}, guards }: Pack): PackDescription {
  return { id, title, options, guards: guards.map(describeGuard) }
}

export function describeGuard(guard: Guard): GuardDescription {
  const { id, title, why, instead, on, match, modes } = guard
  const { skill, knowsAgents, undoable, timeoutMs } = guard
  return {
    ...{ id, title, why, instead, on, match, modes },
    ...(skill === undefined ? {} : { skill }),
    ...(knowsAgents === undefined ? {} : { knowsAgents }),
    ...(undoable === undefined ? {} : { undoable }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** A guard with these texts, whose `check` is in another process. */
export function describedGuard(about: GuardDescription): Guard {
  return {
    ...about,
    examples: { stops: [], passes: [] },
    check: () => {
      throw new Error('this guard runs in a process of its own')
    },
  }
}

/** Functions that only a pack inside the same program may have, because they run more than `check`. */
export function tooMuchForOthers({ guards, programs, wrongOptions }: Pack): string | undefined {
  if (programs !== undefined || wrongOptions !== undefined)
    return 'has `programs` or `wrongOptions`: only `options` work here'
  for (const guard of guards) {
    const key = NOT_FOR_OTHERS.find((each) => guard[each] !== undefined)
    if (key !== undefined)
      return `has the guard \`${guard.id}\` with \`${key}\`, which only works inside a program`
  }
  return undefined
}

/** It runs no commands, allows nothing, and a failure of it is always a deny. */
const NOT_FOR_OTHERS = ['needs', 'grants', 'onFailure'] as const

/** The guard in the parameters of a hook. */
export function guardAbout(value: Json | undefined): GuardDescription | undefined {
  return isObject(value) && typeof value.id === 'string' ? (value as JsonObject as never) : undefined
}
