import { Option } from 'commander'

/** Options that several commands share. */
export const HOME = new Option(
  '--home <dir>',
  'use this folder for all user-level files instead of the default folders',
)

/** For commands that remove or weaken protection: who permits them where there is no person. */
export const UNATTENDED = new Option(
  '--unattended <file>',
  'the permit of a machine without a person: see `holdpoint docs unattended`',
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
