import { isSet, optionTable, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { reached } from '../../programs/files/reached.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { type FileEffect, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { resolvePath } from '../../words/paths.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { remoteHost } from '../network/transfer.ts'
import { ABSOLUTE } from './packers.ts'

const TAR = optionTable(`
  c|create x|get|extract t|list r|append u|update A|catenate|concatenate d|compare|diff delete f|file=
  C|cd|directory= T|files-from= X|exclude-from= exclude= g= b= H= listed-incremental= format=
  I|use-compress-program= to-command= transform|xform= s= K= strip-components|strip= owner= group= mode=
  mtime= N|newer|after-date= newer-mtime= F|info-script= L|tape-length= V|label= checkpoint=?
  checkpoint-action= one-top-level=? suffix= warning= sort= pax-option= rsh-command= rmt-command=
  blocking-factor= add-file= P|absolute-paths|absolute-names O|to-stdout remove-files overwrite force-local k
  U m keep-old-files recursive-unlink p|preserve-permissions v|verbose w|interactive help usage version z|gzip
  j|bzip2 J|xz a|auto-compress zstd lzma h|dereference S|sparse
`)

/** tar and bsdtar: what is unpacked where, what the archive replaces, what is deleted once it is packed. */
export function tarEffects(call: ModelCall): readonly ShellEffect[] {
  const { command } = call
  const args = [...environmentOptions(command), ...newStyle(command.args)]
  const read = readOptions(args, TAR)
  if (['help', 'usage', 'version', 'list', 'diff'].some((name) => isSet(read, name))) return []
  if (isSet(read, 'extract')) return unpacked(read, call)
  const archive = valuesOf(read, 'file').at(-1)
  const packs = ['create', 'append', 'update', 'concatenate', 'delete'].some((name) => isSet(read, name))
  if (!packs) return []
  const folders = foldersOf(read, call)
  const taken = isSet(read, 'remove-files')
    ? read.operands.flatMap((word) => reached('delete', word, folders.at(-1), { recursive: true }))
    : []
  return [...packedInto(archive, read, command), ...taken]
}

function unpacked(read: ReadOptions, call: ModelCall): readonly ShellEffect[] {
  if (isSet(read, 'to-stdout') || valuesOf(read, 'to-command').length > 0) return []
  const named = [...valuesOf(read, 'one-top-level'), ...valuesOf(read, 'directory')]
  const places = named.length === 0 ? [exactWord('.')] : named.slice(-1)
  const [base] = valuesOf(read, 'directory').length > 1 ? foldersOf(read, call) : [call.command.cwd]
  const written = places.flatMap((word) => namedFiles(word, base))
  const made = written.map((file): FileEffect => ({ kind: 'write', ...file, recursive: true }))
  return isSet(read, 'absolute-names') ? [ABSOLUTE, ...made] : made
}

/** Each `-C` counts from the one before it; the folder before the last, and the last. */
function foldersOf(read: ReadOptions, { command, home }: ModelCall): readonly (string | undefined)[] {
  let before = command.cwd
  let folder = command.cwd
  for (const word of valuesOf(read, 'directory')) {
    before = folder
    const text = exactText(word)
    folder = text === undefined ? undefined : resolvePath(text, { cwd: folder, home })
  }
  return [before, folder]
}

/** An archive on another machine is not written here. */
function packedInto(
  archive: Word | undefined,
  read: ReadOptions,
  command: SimpleCommand,
): readonly ShellEffect[] {
  if (archive === undefined || exactText(archive) === '-') return []
  if (remoteHost(archive) !== undefined && !isSet(read, 'force-local')) return []
  return namedFiles(archive, command.cwd).map((file): ShellEffect => ({ kind: 'write', ...file }))
}

function environmentOptions(command: SimpleCommand): readonly Word[] {
  const given = command.assignments.findLast((each) => each.name === 'TAR_OPTIONS')
  const text = exactText(given?.value)
  return text === undefined ? [] : text.split(/\s+/).filter(Boolean).slice(0, 64).map(exactWord)
}

const TAKES_VALUE = 'fCTXgbHIsKNFLV'

/** `tar xzf a.tgz`: the first word is options without a dash, and their values follow in order. */
function newStyle(args: readonly Word[]): readonly Word[] {
  const [first, ...rest] = args
  const letters = exactText(first) ?? ''
  if (first === undefined || !/^[A-Za-z]+$/.test(letters) || !/[cxtruAd]/.test(letters)) return args
  const values = [...letters].filter((letter) => TAKES_VALUE.includes(letter))
  const flags = [...letters].filter((letter) => !TAKES_VALUE.includes(letter)).join('')
  const paired = values.flatMap((letter, at) => [exactWord(`-${letter}`), ...rest.slice(at, at + 1)])
  return [...(flags === '' ? [] : [exactWord(`-${flags}`)]), ...paired, ...rest.slice(values.length)]
}
