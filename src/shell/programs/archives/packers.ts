import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { exactForm, exactText } from '../../words/words.ts'
import { writes } from '../files/writing.ts'
import type { Program, ProgramTable } from '../program.ts'
import { ABSOLUTE } from './acts.ts'
import { unpackedInto } from './unpacking.ts'

const CPIO = `
  i|extract o|create p|pass-through t|list D|directory= F|file= O= I= H|format= E|pattern-file= R|owner=
  C|io-size= M|message= u|unconditional d|make-directories v m no-absolute-filenames to-stdout help version
`
const PAX = 'r w f= s= p= o= x= b= B= T= U= G= v z k u d'
const UNSQUASHFS = 'd|dest= f|force l|ls s|stat e|ef='

export const PACKERS: ProgramTable = {
  cpio: {
    does: ({ command: { args, cwd } }) => {
      const read = readOptions(args, CPIO)
      if (['list', 'help', 'version', 'to-stdout'].some((name) => isSet(read, name))) return []
      if (isSet(read, 'extract')) return unpackedInto(valuesOf(read, 'directory').at(-1), cwd)
      if (isSet(read, 'pass-through')) return unpackedInto(read.operands[0], cwd)
      return [...valuesOf(read, 'O'), ...valuesOf(read, 'file')].flatMap((word) => writes(word, cwd))
    },
    packs: { takesNames: true },
    unpacks: true,
  },
  // `-r` unpacks, `-w` packs, both copy; `-s` may put what is unpacked anywhere.
  pax: {
    does: ({ command: { args, cwd } }) => {
      const read = readOptions(args, PAX)
      if (!isSet(read, 'r'))
        return isSet(read, 'w') ? valuesOf(read, 'f').flatMap((word) => writes(word, cwd)) : []
      const target = isSet(read, 'w') ? read.operands.at(-1) : undefined
      const renamed = valuesOf(read, 's').some((word) => /[,|#:!]\//.test(exactText(word) ?? '/'))
      return [...(renamed ? [ABSOLUTE] : []), ...unpackedInto(target, cwd)]
    },
    packs: {},
    unpacks: true,
    keeps: {
      kind: 'packs',
      archive: (args) => args.filter((word) => !word.source.startsWith('-'))[1],
    },
  },
  // `ar x archive --output folder`
  ar: {
    does: ({ command: { args, cwd } }) =>
      /^-?[a-zA-Z]*x/.test(exactText(args[0]) ?? '')
        ? unpackedInto(valuesOf(readOptions(args, 'output='), 'output').at(-1), cwd)
        : [],
    packs: {},
    unpacks: true,
  },
  unsquashfs: {
    does: ({ command: { args, cwd } }) => {
      const read = readOptions(args, UNSQUASHFS)
      return isSet(read, 'ls') || isSet(read, 'stat') ? [] : unpackedInto(valuesOf(read, 'dest').at(-1), cwd)
    },
    unpacks: true,
  },
}

const PACKER = `
  c|to-stdout|stdout d|decompress|uncompress k|keep l|list t|test f|force S|suffix= o= output-dir-flat=
  T|threads= rm r|recursive n|no-name q v h|help V|version
`
const KEEPS = ['stdout', 'keep', 'list', 'test', 'help', 'version']

/** The packed file takes the place of the other. `removes`: only with this option. */
function packing(removes?: string): NonNullable<Program['does']> {
  return ({ command: { args, cwd } }) => {
    const read = readOptions(args, PACKER)
    const keeps =
      KEEPS.some((option) => isSet(read, option)) || (removes !== undefined && !isSet(read, removes))
    if (keeps) return valuesOf(read, 'o').flatMap((word) => writes(word, cwd))
    const files = read.operands.filter((word) => word.forms.every((form) => exactForm(form) !== '-'))
    return files.flatMap((word) => writes(word, cwd))
  }
}

/** gzip and its kin. */
export const COMPRESSORS: ProgramTable = {
  gzip: { does: packing(), passesOn: true, keeps: { kind: 'compresses', suffix: '.gz' } },
  gunzip: { does: packing(), passesOn: true, keeps: { kind: 'compresses' } },
  bzip2: { does: packing(), keeps: { kind: 'compresses', suffix: '.bz2' } },
  'bunzip2 unxz': { does: packing(), keeps: { kind: 'compresses' } },
  xz: { does: packing(), passesOn: true, keeps: { kind: 'compresses', suffix: '.xz' } },
  zstd: { does: packing('rm'), keeps: { kind: 'compresses', suffix: '.zst' } },
  pigz: { keeps: { kind: 'compresses', suffix: '.gz' } },
  pbzip2: { keeps: { kind: 'compresses', suffix: '.bz2' } },
  lz4: { keeps: { kind: 'compresses', suffix: '.lz4' } },
  lzma: { keeps: { kind: 'compresses', suffix: '.lzma' } },
  compress: { keeps: { kind: 'compresses', suffix: '.Z' } },
  'unzstd unlz4 uncompress': { keeps: { kind: 'compresses' } },
  zcat: { passesOn: true },
}
