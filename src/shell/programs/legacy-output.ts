import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { echoed, formatted } from '../echo-output.ts'
import { lookup, type VariableScope } from '../expand/scope.ts'
import { listedByFd } from '../fd.ts'
import { foundPaths, readFind } from '../find.ts'
import { baseName } from '../words/paths.ts'
import {
  concatForms,
  eachText,
  exactForm,
  exactText,
  type Form,
  textForm,
  textPiece,
  type Word,
} from '../words/words.ts'

type Prints = (args: readonly Word[], scope: VariableScope) => readonly Form[] | undefined

export const PRINTS: ReadonlyMap<string, Prints> = new Map<string, Prints>(
  Object.entries({
    echo: echoed,
    printf: formatted,
    pwd: (_args, scope) => lookup('PWD', scope),
    mktemp: temporaryName,
    ls: listedNames,
    which: (args) => args.at(-1)?.forms,
    command: (args) => (exactText(args[0]) === '-v' ? args[1]?.forms : undefined),
    type: (args) => (/^-[pP]$/.test(exactText(args[0]) ?? '') ? args[1]?.forms : undefined),
    realpath: (args) => args.at(-1)?.forms,
    readlink: (args) => (/^-[fem]+$/.test(exactText(args[0]) ?? '') ? args.at(-1)?.forms : undefined),
    basename: (args) =>
      eachText(args[0]?.forms ?? [], (text) => cutSuffix(baseName(text), exactText(args[1]))),
    dirname: (args) => args[0]?.forms.map(folderForm),
    find: (args) => foundPaths(readFind(args)).forms,
    fd: listedByFd,
    fdfind: listedByFd,
    git: gitOutput,
    date: (args) => (args.every((word) => exactText(word) !== undefined) ? [NAME] : undefined),
    whoami: () => [NAME],
    nproc: () => [NAME],
    uname: () => [NAME],
    hostname: () => [NAME],
    true: () => [[]],
    ':': () => [[]],
  } satisfies Record<string, Prints>),
)

function gitOutput(args: readonly Word[], scope: VariableScope): readonly Form[] | undefined {
  const words = args.map((word) => exactText(word) ?? '?').join(' ')
  // The folder we are in is as good a guess as any, and the right one for whoever is at the top.
  if (words === 'rev-parse --show-toplevel')
    return scope.cwd === undefined ? undefined : [textForm(scope.cwd)]
  return BRANCH_OR_COMMIT.test(words) ? [NAME] : undefined
}

function cutSuffix(name: string, suffix: string | undefined): string {
  return suffix !== undefined && name.endsWith(suffix) && name !== suffix
    ? name.slice(0, -suffix.length)
    : name
}

/** Also of a path of which only a part is known: `dirname "$X/y"`. */
function folderForm(form: Form): Form {
  const text = exactForm(form)
  if (text !== undefined) return textForm(folderOf(text))
  const at = form.findLastIndex((piece) => piece.kind === 'text' && piece.text.includes('/'))
  const piece = form[at]
  if (piece === undefined) return [{ kind: 'unknown', text: 'dirname' }]
  return concatForms(form.slice(0, at), textForm(piece.text.slice(0, piece.text.lastIndexOf('/'))))
}

function folderOf(path: string): string {
  const folder = path.replace(/\/+[^/]*\/*$/, '')
  return folder === '' ? '/' : folder === path ? '.' : folder
}

const MKTEMP = optionTable('p= tmpdir=? suffix= t d|directory u|dry-run q|quiet')

/** The template stands for the name: what the X become is nobody's concern. */
function temporaryName(args: readonly Word[]): readonly Form[] | undefined {
  const read = readOptions(args, MKTEMP)
  const [template] = read.operands
  const placed = read.options.some((option) => ['t', 'p', 'tmpdir'].includes(option.name))
  const folder = valuesOf(read, 'p', 'tmpdir')[0]?.forms[0] ?? textForm('/tmp')
  if (template === undefined) return [concatForms(folder, textForm('/tmp.XXXXXXXXXX'))]
  return placed ? template.forms.map((form) => concatForms(folder, textForm('/'), form)) : template.forms
}

/** `ls .env` prints its name, or what is in it where it is a folder. */
function listedNames(args: readonly Word[]): readonly Form[] | undefined {
  const operands = args.filter((word) => !/^-[1dtrAa]+$/.test(exactText(word) ?? ''))
  const [only] = operands
  if (only === undefined) return hereNames(args)
  if (operands.length > 1 || /^-/.test(only.source)) return undefined
  // A name with an ending is hardly a folder; one that begins with a dot may well be.
  const asIs = args.some((word) => /^-\w*d/.test(exactText(word) ?? ''))
  if (asIs) return only.forms
  const isFile = only.forms.every((form) => /[^/]\.\w+$/.test(form.at(-1)?.text ?? ''))
  return isFile ? only.forms : [...only.forms, [{ kind: 'unknown', text: 'what is in it' }]]
}

/** Who lists names with a leading dot may mean one of those. */
function hereNames(args: readonly Word[]): readonly Form[] | undefined {
  const all = args.some((word) => /^-\w*[aA]/.test(exactText(word) ?? ''))
  return all ? [[ANY], [textPiece('.'), ANY]] : undefined
}

const ANY = { kind: 'glob', text: '*' } as const

/** Some text that begins with a letter or digit: no option, no path out of here, no `+ref`. */
const NAME: Form = [{ kind: 'glob', text: '[A-Za-z0-9]*' }]
const BRANCH_OR_COMMIT =
  /^(branch --show-current|rev-parse (--short(=\d+)? |--verify |--abbrev-ref )?HEAD|symbolic-ref (-q )?--short HEAD)$/
