import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { GIT_OPTIONS } from '../git.ts'
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

const MAKE_OPTIONS = optionTable('C|directory= f|file= j=? k n s B')

/** Programs that go to a folder themselves before they touch a file. */
const OWN_FOLDER = new Map([
  ['git', GIT_OPTIONS],
  ['make', MAKE_OPTIONS],
  ['gmake', MAKE_OPTIONS],
])

function foldersOf({ name, args, cwd, mayBeIn }: SimpleCommand): readonly Form[] | undefined {
  const options = OWN_FOLDER.get(name ?? '')
  if (options === undefined) return cwd === undefined ? mayBeIn : undefined
  const named = valuesOf(readOptions(args, options, { stopAtOperand: name === 'git' }), 'C', 'directory')
  const start: Folder = { cwd, mayBeIn }
  const folder = named.reduce((from, word) => folderAt(word, from, '/'), start)
  return folder.cwd === undefined ? folder.mayBeIn : undefined
}
