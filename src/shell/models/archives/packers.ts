import { isSet, optionTable, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { writes } from '../../programs/files/writing.ts'
import { type ActEffect, type FileEffect, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { exactForm, exactText, exactWord, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'

export const ABSOLUTE: ActEffect = {
  kind: 'data-destroy',
  act: 'files/extract-absolute',
  what: 'unpacks files to wherever the archive says, outside this folder too',
  unsure: 'what is in the archive is not known',
}

export function unpackedInto(folder: Word | undefined, cwd: string | undefined): readonly ShellEffect[] {
  return namedFiles(folder ?? exactWord('.'), cwd).map(
    (file): FileEffect => ({ kind: 'write', ...file, recursive: true }),
  )
}

/** `unsquashfs -d folder image`, `ar x archive --output folder`. */
export function packageUnpacked({ name, command }: ModelCall): readonly ShellEffect[] {
  if (name === 'unsquashfs') {
    const read = readOptions(command.args, optionTable('d|dest= f|force l|ls s|stat e|ef='))
    return isSet(read, 'ls') || isSet(read, 'stat')
      ? []
      : unpackedInto(valuesOf(read, 'dest').at(-1), command.cwd)
  }
  const read = readOptions(command.args, optionTable('output='))
  const unpacks = /^-?[a-zA-Z]*x/.test(exactText(command.args[0]) ?? '')
  return unpacks ? unpackedInto(valuesOf(read, 'output').at(-1), command.cwd) : []
}

const CPIO = optionTable(`
  i|extract o|create p|pass-through t|list D|directory= F|file= O= I= H|format= E|pattern-file= R|owner=
  C|io-size= M|message= u|unconditional d|make-directories v m no-absolute-filenames to-stdout help version
`)

export function cpioEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, CPIO)
  if (['list', 'help', 'version', 'to-stdout'].some((name) => isSet(read, name))) return []
  if (isSet(read, 'extract')) return unpackedInto(valuesOf(read, 'directory').at(-1), command.cwd)
  if (isSet(read, 'pass-through')) return unpackedInto(read.operands[0], command.cwd)
  return [...valuesOf(read, 'O'), ...valuesOf(read, 'file')].flatMap((word) => writes(word, command.cwd))
}

const PAX = optionTable('r w f= s= p= o= x= b= B= T= U= G= v z k u d')

/** `-r` unpacks, `-w` packs, both copy; `-s` may put what is unpacked anywhere. */
export function paxEffects({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, PAX)
  if (!isSet(read, 'r'))
    return isSet(read, 'w') ? valuesOf(read, 'f').flatMap((word) => writes(word, command.cwd)) : []
  const target = isSet(read, 'w') ? read.operands.at(-1) : undefined
  const renamed = valuesOf(read, 's').some((word) => /[,|#:!]\//.test(exactText(word) ?? '/'))
  return [...(renamed ? [ABSOLUTE] : []), ...unpackedInto(target, command.cwd)]
}

const PACKER = optionTable(`
  c|to-stdout|stdout d|decompress|uncompress k|keep l|list t|test f|force S|suffix= o= output-dir-flat=
  T|threads= rm r|recursive n|no-name q v h|help V|version
`)

/** gzip and its kin put the packed file in the place of the other. zstd keeps it unless told not to. */
export function packedInPlace({ name, command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, PACKER)
  if (keeps(read, name)) return valuesOf(read, 'o').flatMap((word) => writes(word, command.cwd))
  const files = read.operands.filter((word) => word.forms.every((form) => exactForm(form) !== '-'))
  return files.flatMap((word) => writes(word, command.cwd))
}

function keeps(read: ReadOptions, name: string): boolean {
  if (['stdout', 'keep', 'list', 'test', 'help', 'version'].some((option) => isSet(read, option))) return true
  return /zstd$/.test(name) && !isSet(read, 'rm')
}
