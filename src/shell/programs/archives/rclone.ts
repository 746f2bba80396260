import { isSet, readOptions } from '../../arguments/options.ts'
import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import { reached } from '../files/reached.ts'
import { copying } from '../network/senders.ts'
import { type ProgramCall, program } from '../program.ts'
import { SYNC_DELETE } from './acts.ts'
import { synced } from './unpacking.ts'

const RCLONE = `
  n|dry-run i|interactive v|verbose P|progress config= exclude= include= filter= help exclude-from=
  include-from= filter-from= files-from= max-age= min-age= transfers= checkers= bwlimit= log-file= log-level=
  backup-dir= max-size= min-size= max-delete= rmdirs tpslimit= retries= fast-list q|quiet u|update c|checksum
  ignore-existing
`

export const rclone = program('rclone', {
  does: mirrored,
  sends: copying(/^(copy|copyto|move|moveto|sync|bisync|rcat)/, /^[\w-]+:(?!\/\/)|^:/, true),
  credentials: [['the passwords of the remotes', /^config (show|dump)\b/]],
  unpacks: true,
})

function mirrored({ command: { args, cwd } }: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(args, RCLONE)
  const [verb, first, second] = read.operands
  const name = exactText(verb) ?? ''
  if (isSet(read, 'dry-run') || isSet(read, 'help') || first === undefined) return []
  if (/^(delete|purge|deletefile|rmdirs|cleanup)$/.test(name)) {
    if (isRclonePlace(first))
      return [{ ...SYNC_DELETE, what: `deletes files in a remote store (${first.source})` }]
    return namedFiles(first, cwd).map((file) => ({ kind: 'delete', ...file, recursive: true }))
  }
  if (/^(sync|bisync)$/.test(name) && second !== undefined) return synced(second, cwd, isRclonePlace(second))
  return /^move(to)?$/.test(name) && !isRclonePlace(first)
    ? reached('delete', first, cwd, { recursive: true })
    : []
}

/** `remote:bucket/path`, `:s3,…:bucket`. */
function isRclonePlace(word: Word): boolean {
  return word.forms.some((form) => /^:|^[^/.~][^/]*:/.test(form[0]?.kind === 'text' ? form[0].text : ''))
}

/** Windows: `/MIR` and `/PURGE` delete what the source does not have; `/L` only lists. */
export const robocopy = program('robocopy', {
  does: ({ command: { args, cwd } }) => {
    const flags = args.map((word) => (exactText(word) ?? '').replace(/^\/+/, '/').toUpperCase())
    const deletes = flags.some((flag) => ['/MIR', '/PURGE'].includes(flag))
    const target = onDrive(args[1])
    return !deletes || flags.includes('/L') || target === undefined ? [] : synced(target, cwd, false)
  },
  unpacks: true,
})

/** `C:\\data` is no path below this folder; it counts as standing at the top. */
function onDrive(word: Word | undefined): Word | undefined {
  const text = exactText(word)
  return text !== undefined && /^[a-z]:/i.test(text) ? exactWord(`/${text}`) : word
}
