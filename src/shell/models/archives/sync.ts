import { isSet, optionTable, readOptions } from '../../arguments/options.ts'
import { reached } from '../../programs/files/reached.ts'
import { type ActEffect, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import type { Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { remoteHost } from '../network/transfer.ts'
import { unpackedInto } from './packers.ts'

const RSYNC = optionTable(`
  a|archive r|recursive v|verbose q|quiet z|compress n|dry-run list-only h help version delete
  del|delete-during delete-before delete-after delete-delay delete-excluded delete-missing-args
  remove-source-files remove-sent-files ignore-errors force P progress partial stats l|links L|copy-links
  p|perms t|times g|group o|owner D H A X u|update c|checksum x|one-file-system R|relative b|backup
  i|itemize-changes S|sparse e|rsh= f|filter= F exclude= exclude-from= include= include-from= files-from= T=
  rsync-path= backup-dir= suffix= chmod= chown= bwlimit= timeout= port= log-file= password-file= compare-dest=
  copy-dest= link-dest= temp-dir= max-size= min-size= B= max-delete= out-format= usermap= groupmap= info=
  debug= modify-window= partial-dir= M|remote-option= iconv= skip-compress= compress-level= compress-choice=
  contimeout=
`)

/** Files on the other machine that this one does not have are deleted there. */
export const REMOTE: ActEffect = {
  kind: 'remote-mutate',
  act: 'files/sync-delete-remote',
  what: 'deletes on another machine whatever the source does not have',
}

export function rsyncEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, RSYNC)
  if (['dry-run', 'list-only', 'help', 'version'].some((name) => isSet(read, name))) return []
  const sources = read.operands.slice(0, -1)
  const target = read.operands.at(-1)
  if (target === undefined || sources.length === 0) return []
  const deletes = read.options.some((option) => /^(del|delete)(-|$)/.test(option.name))
  const moves = read.options.some((option) => /^remove-(source|sent)-files$/.test(option.name))
  const local = sources.filter((word) => remoteHost(word) === undefined)
  const taken = moves
    ? local.flatMap((word) => reached('delete', word, command.cwd, { recursive: true }))
    : []
  const isRemote = remoteHost(target) !== undefined
  const made = isRemote ? [] : unpackedInto(target, command.cwd)
  return [...made, ...taken, ...(deletes ? synced(target, command.cwd, isRemote) : [])]
}

export function synced(target: Word, cwd: string | undefined, isRemote: boolean): readonly ShellEffect[] {
  if (isRemote) return [{ ...REMOTE, unsure: 'what is there and not here is not known' }]
  return namedFiles(target, cwd).map((file) => ({ kind: 'delete', ...file, recursive: true, narrowed: true }))
}
