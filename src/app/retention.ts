import type { Retention } from '../storage/journal/journal.ts'
import type { Home } from '../system/home.ts'
import { ownSettings } from './own-settings.ts'

/**
 * How long records are kept, from the user's own configuration: a project may not shorten the journal.
 * Undefined if the configuration cannot be read: then nothing is deleted.
 */
export async function retentionOf(home: Home): Promise<Retention | undefined> {
  const settings = await ownSettings(home)
  if (settings === undefined) return undefined
  const { keepDays, keepMegabytes } = settings.journal
  return { keepDays, keepMegabytes }
}
