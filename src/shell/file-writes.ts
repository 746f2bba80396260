import { optionTable, readOptions, valuesOf } from './arguments/options.ts'
import { fileAt, filesBelow, type LineFile, putFile } from './expand/line-files.ts'
import { scriptFile, scriptsSet } from './expand/npm-scripts.ts'
import type { Shell } from './expand/state.ts'
import type { Given } from './programs/program.ts'
import { baseName } from './words/paths.ts'
import { concatForms, exactText, exactWord, textPiece, type Word } from './words/words.ts'

export const FETCHES =
  /^(curl|wget|https?|xh|aria2c|nc|ncat|netcat|socat|telnet|ftp|sftp|ssh|lynx|w3m|gh|aws|gsutil)$/

type Writer = (args: readonly Word[], shell: Shell, input: Given) => void

export const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['tee', tee],
  ['dd', dd],
  ['cp', transfer],
  ['mv', transfer],
  ['ln', transfer],
  ['install', transfer],
  ['rsync', transfer],
  ['scp', transfer],
  ['ditto', transfer],
  ['gcp', transfer],
  ['mmv', transfer],
  ['git', byGit],
  ['split', parted],
  ['curl', fetchedHere],
  ['rename', renamed],
  ['prename', renamed],
  ['sed', changedInPlace],
  ['perl', changedInPlace],
  ['npm', setScripts],
  ['pnpm', setScripts],
])

function tee(args: readonly Word[], shell: Shell, { forms, piped, content }: Given): void {
  if (forms === undefined && !piped) return
  const { operands, options } = readOptions(args, optionTable('a|append i p'))
  const appends = options.some((option) => option.name === 'append')
  for (const target of operands) putFile(shell, target, content(), appends)
}

function dd(args: readonly Word[], shell: Shell, { forms }: Given): void {
  const value = (key: string): string | undefined => {
    return args
      .map((word) => exactText(word) ?? '')
      .find((text) => text.startsWith(`${key}=`))
      ?.slice(key.length + 1)
  }
  const [from, to] = [value('if'), value('of')]
  if (to === undefined) return
  const source = from === undefined ? undefined : fileAt(exactWord(from), shell)
  if (source !== undefined) for (const file of source) putFile(shell, exactWord(to), file)
  else if (from === undefined && forms !== undefined) putFile(shell, exactWord(to), { kind: 'text', forms })
}

const TRANSFER = optionTable('t|target-directory= m|mode= o|owner= g|group= S|suffix=')

/** A copy, a move or a link: the new name is what the old one was. A program that was there before is known by its name. */
function transfer(args: readonly Word[], shell: Shell): void {
  const read = readOptions(args, TRANSFER)
  const folder = valuesOf(read, 'target-directory').at(-1)
  const sources = folder === undefined ? read.operands.slice(0, -1) : read.operands
  const target = folder ?? read.operands.at(-1)
  if (target === undefined || sources.length > SOURCES_MAX) return
  for (const source of sources) {
    const name = exactText(source)
    if (shell.files.size > 0) copyFolder(source, target, shell)
    for (const file of fileAt(source, shell) ?? programAt(source) ?? []) {
      if (sources.length === 1) putFile(shell, target, file)
      // The target may be a folder: then the file keeps its name in it.
      if (name !== undefined) putFile(shell, below(target, baseName(name)), file)
    }
  }
}

const SOURCES_MAX = 8

/** `cp -r a b`: what is in `a` is then in `b`, or in `b/a` if there is a `b`. */
function copyFolder(source: Word, target: Word, shell: Shell): void {
  const name = baseName((exactText(source) ?? '').replace(/\/+$/, ''))
  for (const { rest, files } of filesBelow(source, shell)) {
    for (const file of files) {
      putFile(shell, below(target, rest), file)
      if (name !== '' && name !== '.') putFile(shell, below(target, `${name}/${rest}`), file)
    }
  }
}

/** `git mv a b`, `git clone . copy`, `git worktree add copy` */
function byGit(args: readonly Word[], shell: Shell): void {
  if (shell.files.size === 0) return
  const verb = args.findIndex((word) => /^(?:mv|clone|worktree)$/.test(exactText(word) ?? ''))
  const rest = args.slice(verb + 1)
  const operands = rest.filter((word) => !(exactText(word) ?? '').startsWith('-'))
  const [first, second] = operands
  const does = verb < 0 ? '' : exactText(args[verb])
  if (does === 'mv') transfer(rest, shell)
  if (first === undefined || second === undefined) return
  if (does === 'clone') copyFolder(first, second, shell)
  if (does === 'worktree' && exactText(first) === 'add') copyFolder(exactWord('.'), second, shell)
}

/** The first part of a file that is split has the ending `aa`, or the one that the options ask for. */
function parted(args: readonly Word[], shell: Shell): void {
  const { operands } = readOptions(args, SPLIT)
  const [source, prefix = exactWord('x')] = operands
  for (const file of source === undefined ? [] : (fileAt(source, shell) ?? [])) {
    for (const end of ['aa', 'a', 'aaa', '00', '0', '000'])
      putFile(
        shell,
        { ...prefix, forms: prefix.forms.map((form) => concatForms(form, [textPiece(end)])) },
        file,
      )
  }
}

const SPLIT = optionTable(
  'l|lines= b|bytes= C|line-bytes= n|number= a|suffix-length= additional-suffix= t|separator= filter= d x e u',
)

/** `curl -o y file:///srv/project/x` is a copy. */
function fetchedHere(args: readonly Word[], shell: Shell): void {
  const at = args.findIndex((word) => /^(?:-o|--output)$/.test(exactText(word) ?? ''))
  const target = at < 0 ? undefined : args[at + 1]
  if (shell.files.size === 0 || target === undefined) return
  for (const word of args) {
    const [, path] = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/i.exec(exactText(word) ?? '') ?? []
    for (const file of path === undefined ? [] : (fileAt(exactWord(path), shell) ?? []))
      putFile(shell, target, file)
  }
}

/** `rename .txt .sh x.txt`, `rename 's/txt/sh/' x.txt` */
function renamed(args: readonly Word[], shell: Shell): void {
  const words = args.filter((word) => !/^-/.test(exactText(word) ?? ''))
  const [, from = exactText(words[0]) ?? '', to] =
    /^[sy]\/([^/]*)\/([^/]*)\//.exec(exactText(words[0]) ?? '') ?? []
  const isPerl = to !== undefined
  const by = to ?? exactText(words[1]) ?? ''
  for (const word of words.slice(isPerl ? 1 : 2)) {
    const name = exactText(word)
    for (const file of name === undefined ? [] : (fileAt(word, shell) ?? []))
      putFile(shell, exactWord((name ?? '').replace(from.replace(/\\(.)/g, '$1'), by)), file)
  }
}

function below(folder: Word, name: string): Word {
  return { ...folder, forms: folder.forms.map((form) => concatForms(form, [textPiece(`/${name}`)])) }
}

const PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.+-]+$/
const LOOKED_UP = /^["']?(?:\$\(|`)\s*(?:which|command\s+-v|type\s+-[pP])\s/

function programAt(source: Word): readonly LineFile[] | undefined {
  const isProgram = PROGRAM.test(exactText(source) ?? '') || LOOKED_UP.test(source.source)
  return isProgram ? [{ kind: 'program', word: source }] : undefined
}

function setScripts(args: readonly Word[], shell: Shell): void {
  for (const { name, code } of scriptsSet(args))
    putFile(shell, scriptFile(name), { kind: 'text', forms: [[textPiece(code)]] })
}

/** `sed -i` leaves something else in a file of this line than what was written there. */
function changedInPlace(args: readonly Word[], shell: Shell): void {
  if (shell.files.size === 0 || !args.some((word) => /^-[a-zA-Z]*i/.test(exactText(word) ?? ''))) return
  for (const word of args) if (fileAt(word, shell) !== undefined) putFile(shell, word, { kind: 'unknown' })
}
