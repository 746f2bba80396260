import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { FileName, ShellEffect } from '../vocabulary/effect.ts'
import { type Folder, folderAt, isRelative, joined } from '../words/folders.ts'
import type { Form } from '../words/words.ts'

/** Every effect, and for a file whose folder is known only in part the same once more, in that folder. */
export function withFolders(effects: readonly ShellEffect[], command: SimpleCommand): readonly ShellEffect[] {
  const folders = effects.length === 0 ? undefined : foldersOf(command)
  if (folders === undefined) return effects
  const doubt = folders.length > 1 ? { unsure: 'which folder it runs in is known only at run time' } : {}
  return effects.flatMap((effect): readonly ShellEffect[] => {
    if ('form' in effect) {
      const there = inFolders(effect, folders)
      return [effect, ...there.map((file) => ({ ...doubt, ...effect, ...file }))]
    }
    const { file } = 'file' in effect ? effect : { file: undefined }
    const there = file === undefined ? [] : inFolders(file, folders)
    return [effect, ...there.map((each) => ({ ...doubt, ...effect, file: each }))]
  })
}

/** The root as folder says that nothing has to be put before the name any more. */
function inFolders(file: FileName, folders: readonly Form[]): readonly FileName[] {
  if (file.cwd !== undefined || !isRelative(file.form)) return []
  return folders.map((folder) => ({ source: file.source, form: joined(folder, file.form), cwd: '/' }))
}

function foldersOf({ name, args, cwd, mayBeIn }: SimpleCommand): readonly Form[] | undefined {
  const entered = programOf(name)?.entersFolder?.(args)
  if (entered === undefined) return cwd === undefined ? mayBeIn : undefined
  const start: Folder = { cwd, mayBeIn }
  const folder = entered.reduce((from, word) => folderAt(word, from, '/'), start)
  return folder.cwd === undefined ? folder.mayBeIn : undefined
}
