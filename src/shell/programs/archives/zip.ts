import { isSet, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun } from '../../vocabulary/launch.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import { reached } from '../files/reached.ts'
import { writes } from '../files/writing.ts'
import { type Program, type ProgramTable, program } from '../program.ts'
import { unpackedInto } from './unpacking.ts'

const ZIP = `
  r|recurse-paths m|move d|delete q j u f g y T v h help sf b= n= t= tt= x= i= P= s= O|out= Z= unzip-command=
`

/** The archive is written; with `-m` what was packed is deleted. */
export const zip = program('zip', {
  does: ({ command: { args, cwd } }) => {
    const read = readOptions(args, ZIP)
    const [archive, ...packed] = read.operands
    if (archive === undefined || ['h', 'help', 'T', 'sf'].some((name) => isSet(read, name))) return []
    const made = exactText(archive) === '-' ? [] : writes(archive, cwd)
    if (!isSet(read, 'move')) return made
    const recursive = isSet(read, 'recurse-paths')
    return [...made, ...packed.flatMap((word) => reached('delete', word, cwd, { recursive }))]
  },
  // `zip -T -TT code`
  starts: ({ name, args }) => {
    const words = args.map((word) => (exactText(word) === '-TT' ? exactWord('--unzip-command') : word))
    const [code] = valuesOf(readOptions(words, ZIP), 'unzip-command')
    return code === undefined ? undefined : { own: args.length, runs: [codeRun(`${name} -TT`, code.forms)] }
  },
  files: { operands: 'read', leavesOut: /^(?:-x|--exclude)$/, showsKeys: true },
  packs: {},
  unpacks: true,
  keeps: { kind: 'packs', archive: (args) => plainWords(args)[0] },
})

const UNZIP = 'd= P= x l t v p c Z z o n j q u f a b C L X'

export const unzip = program('unzip', {
  does: ({ command: { args, cwd } }) => {
    const read = readOptions(args, UNZIP)
    const shows = 'l t v p c Z z h help'.split(' ').some((name) => isSet(read, name))
    return shows || read.operands.length === 0 ? [] : unpackedInto(valuesOf(read, 'd').at(-1), cwd)
  },
  unpacks: true,
})

/** A verb, options with the value attached, the archive. `x` and `e` unpack, `a` packs. */
function seven(
  folderOf: (words: readonly Word[], rest: readonly Word[]) => Word | undefined,
): NonNullable<Program['does']> {
  return ({ command: { args, cwd } }) => {
    const [verb, ...rest] = args
    const words = rest.filter((word) => !/^-/.test(exactText(word) ?? ''))
    if (/^[xe]$/.test(exactText(verb) ?? '')) return unpackedInto(folderOf(words, rest), cwd)
    const [archive, ...packed] = words
    if (archive === undefined || !/^[aud]$/.test(exactText(verb) ?? '')) return []
    const moves = rest.some((word) => exactText(word) === '-sdel')
    const gone = moves ? packed.flatMap((word) => reached('delete', word, cwd, { recursive: true })) : []
    return [...writes(archive, cwd), ...gone]
  }
}

const second = (args: readonly Word[]): Word | undefined => plainWords(args)[1]
const sevenZip = seven((_words, rest) => attached(rest, '-o'))

export const SEVEN: ProgramTable = {
  '7z 7za': { does: sevenZip, packs: {}, unpacks: true, keeps: { kind: 'packs', archive: second } },
  '7zz': { does: sevenZip, unpacks: true },
  '7zr': { packs: {} },
  unrar: { does: seven((words) => words[1]), unpacks: true },
  rar: { packs: {}, keeps: { kind: 'packs', archive: second } },
}

function plainWords(args: readonly Word[]): readonly Word[] {
  return args.filter((word) => !word.source.startsWith('-'))
}

function attached(words: readonly Word[], option: string): Word | undefined {
  const word = words.find((each) => each.forms.some((form) => form[0]?.text.startsWith(option) === true))
  if (word === undefined) return undefined
  const forms = word.forms.map((form) => {
    const [first, ...rest] = form
    const text = first?.text.slice(option.length) ?? ''
    return text === '' ? rest : [{ kind: 'text', text } as const, ...rest]
  })
  return { ...word, forms }
}
