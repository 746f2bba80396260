import { Option } from 'commander'

/** Options that several commands share. */
export const HOME = new Option(
  '--home <dir>',
  'use this folder for all user-level files instead of the default folders',
)

/** Where the records of a fleet are. */
export const DATABASE = new Option(
  '--database <url>',
  'the PostgreSQL database (default: HOLDPOINT_DATABASE)',
)

/** For an option that may be given several times. */
export function many(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
