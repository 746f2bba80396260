import { rmSync } from 'node:fs'
import { bad, good, type Result } from '../core/errors.ts'
import { writeWhole } from './files.ts'
import { readOwned, unwritable } from './owned-file.ts'

/** Files in the folders of another program that are Holdpoint's alone, by absolute path. */
export type OwnFiles = Readonly<Record<string, string>>

/** Whether they can be written: a file of somebody else that has one of these names is left alone. */
export function checkOwnFiles(files: OwnFiles, isOwn: (text: string) => boolean): Result<void> {
  for (const file of Object.keys(files)) {
    const found = readOwned(file)
    if (!found.ok) return found
    const { text } = found.value
    if (text !== undefined && text.trim() !== '' && !isOwn(text)) {
      return bad('CONFIG_VALUE', 'This file is for the plugin of Holdpoint, and it holds something else.', {
        file,
        fix: 'Move it away and install again; nothing was changed.',
      })
    }
  }
  return good(undefined)
}

/** Writes them, or none. */
export function writeOwnFiles(files: OwnFiles, isOwn: (text: string) => boolean): Result<void> {
  const checked = checkOwnFiles(files, isOwn)
  if (!checked.ok) return checked
  for (const [file, text] of Object.entries(files)) {
    try {
      const found = readOwned(file)
      if (!found.ok || found.value.text !== text) writeWhole(file, text, 0o644)
    } catch (error) {
      return unwritable(error, file, 'try again')
    }
  }
  return good(undefined)
}

export function removeOwnFiles(files: OwnFiles, isOwn: (text: string) => boolean): void {
  for (const file of Object.keys(files)) {
    const found = readOwned(file)
    if (found.ok && found.value.text !== undefined && isOwn(found.value.text)) rmSync(file, { force: true })
  }
}
