import { isSet, optionTable, readOptions } from '../../arguments/options.ts'
import { reached } from '../../programs/files/reached.ts'
import { namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { REMOTE, synced } from './sync.ts'

const RCLONE = optionTable(`
  n|dry-run i|interactive v|verbose P|progress config= exclude= include= filter= help exclude-from=
  include-from= filter-from= files-from= max-age= min-age= transfers= checkers= bwlimit= log-file= log-level=
  backup-dir= max-size= min-size= max-delete= rmdirs tpslimit= retries= fast-list q|quiet u|update c|checksum
  ignore-existing
`)

export function rcloneEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, RCLONE)
  const [verb, first, second] = read.operands
  const name = exactText(verb) ?? ''
  if (isSet(read, 'dry-run') || isSet(read, 'help') || first === undefined) return []
  if (/^(delete|purge|deletefile|rmdirs|cleanup)$/.test(name)) {
    if (isRclonePlace(first))
      return [{ ...REMOTE, what: `deletes files in a remote store (${first.source})` }]
    return namedFiles(first, command.cwd).map((file) => ({ kind: 'delete', ...file, recursive: true }))
  }
  if (/^(sync|bisync)$/.test(name) && second !== undefined) {
    return synced(second, command.cwd, isRclonePlace(second))
  }
  if (/^move(to)?$/.test(name) && !isRclonePlace(first))
    return reached('delete', first, command.cwd, { recursive: true })
  return []
}

/** `remote:bucket/path`, `:s3,…:bucket`. */
function isRclonePlace(word: Word): boolean {
  return word.forms.some((form) => /^:|^[^/.~][^/]*:/.test(form[0]?.kind === 'text' ? form[0].text : ''))
}

/** Windows: `/MIR` and `/PURGE` delete what the source does not have; `/L` only lists. */
export function robocopyEffects({ command }: ModelCall): readonly ShellEffect[] {
  const flags = command.args.map((word) => (exactText(word) ?? '').replace(/^\/+/, '/').toUpperCase())
  const deletes = flags.some((flag) => ['/MIR', '/PURGE'].includes(flag))
  const target = onDrive(command.args[1])
  if (!deletes || flags.includes('/L') || target === undefined) return []
  return synced(target, command.cwd, false)
}

/** `C:\\data` is no path below this folder; it counts as standing at the top. */
function onDrive(word: Word | undefined): Word | undefined {
  const text = exactText(word)
  return text !== undefined && /^[a-z]:/i.test(text) ? exactWord(`/${text}`) : word
}
