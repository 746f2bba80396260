import { type FileEffect, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactWord, type Word } from '../../words/words.ts'
import { SYNC_DELETE } from './acts.ts'

export function unpackedInto(folder: Word | undefined, cwd: string | undefined): readonly FileEffect[] {
  return namedFiles(folder ?? exactWord('.'), cwd).map((file) => ({
    kind: 'write',
    ...file,
    recursive: true,
  }))
}

/** What is not in the source is deleted in the target. */
export function synced(target: Word, cwd: string | undefined, isRemote: boolean): readonly ShellEffect[] {
  if (isRemote) return [{ ...SYNC_DELETE, unsure: 'what is there and not here is not known' }]
  return namedFiles(target, cwd).map((file) => ({ kind: 'delete', ...file, recursive: true, narrowed: true }))
}
