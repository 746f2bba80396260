import { Option } from 'commander'

/** Options that several commands share. */
export const HOME = new Option(
  '--home <dir>',
  'use this folder for all user-level files instead of the default folders',
)

/** For an option that may be given several times. */
export function many(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
