import type { Result } from '../../core/errors.ts'
import { installedEntries } from '../hook-settings.ts'
import type { InstalledEntry } from '../installer.ts'

/** Our entries in settings of Claude Code, or in the hooks file of a plugin: both have the same shape. */
export function entries(text: string): Result<readonly InstalledEntry[]> {
  return installedEntries(text, (entry) => entry.onFailure === 'block')
}
