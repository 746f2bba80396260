import * as z from 'zod'
import { EVENT_KINDS, type EventKind } from '../../../core/event.ts'

/** Building blocks of the schemas of the file. */
export type KnownEvent = Exclude<EventKind, 'Unknown'>
export const HOOK_EVENTS = EVENT_KINDS.filter((kind): kind is KnownEvent => kind !== 'Unknown')

const ID = /^[a-z0-9][a-z0-9/-]*$/

export const text = (accepted: string) => z.string({ error: accepted }).min(1, { error: accepted })
export const yesOrNo = () => z.boolean({ error: '`true` or `false`, without quotes' })
export const from = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `one of ${words.map((word) => `\`${word}\``).join(', ')}` })
export const mapping = <Shape extends z.ZodRawShape>(shape: Shape, accepted = 'a mapping') =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : accepted),
  })
export const commandLine = (accepted: string) =>
  text(accepted).regex(/^[^\u0000]*$/, { error: `${accepted} without NUL characters` })
export const name = () =>
  text('a name of a-z, 0-9, `-` and `/`')
    .max(128, { error: 'a name of at most 128 characters' })
    .regex(ID, { error: 'a name of a-z, 0-9, `-` and `/`' })

export function asWords<Word extends string>(words: readonly Word[]): readonly [Word, ...Word[]] {
  return words as readonly [Word, ...Word[]]
}
