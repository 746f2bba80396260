import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { chosenLines } from '../chosen-lines.ts'
import { echoed, formatted, textForm } from '../echo-output.ts'
import { expand, expandWhole } from '../expand/expand.ts'
import { knownTextAt } from '../expand/line-files.ts'
import { lookup, type VariableScope } from '../expand/scope.ts'
import { listedByFd } from '../fd.ts'
import { eachText, FILTERS } from '../filters.ts'
import { foundPaths, readFind } from '../find.ts'
import type { RedirectTree, SimpleTree, Tree } from '../grammar/tree.ts'
import { baseName, resolvePath } from '../words/paths.ts'
import {
  concatForms,
  exactForm,
  exactText,
  exactWord,
  type Form,
  textPiece,
  type Word,
} from '../words/words.ts'

/**
 * What a command prints, where that can be told without running it: `echo rm`, `pwd`, a here-document through
 * `cat`. It is how `$(echo rm) -rf /` and `printf 'rm -rf /' | sh` are read. Undefined means not known.
 */
export function printedBy(
  tree: Tree,
  scope: VariableScope,
  input?: readonly Form[],
): readonly Form[] | undefined {
  scope.budget.left -= 1
  if (scope.budget.left < 0) return undefined
  switch (tree.kind) {
    case 'simple':
      return simpleOutput(tree, scope, input)
    case 'subshell':
      return printedBy(tree.body, scope, input)
    case 'sequence':
      return together(tree.steps, scope, input)
    case 'andOr':
      return tree.steps.every((step) => step.operator === '&&')
        ? together(
            tree.steps.map((step) => step.body),
            scope,
            input,
          )
        : undefined
    case 'redirected': {
      const given = redirectedInput(tree.redirects, scope, input)
      return redirectsOutput(tree.redirects) ? [[]] : printedBy(tree.body, scope, given)
    }
    case 'pipeline':
      return tree.stages.reduce<readonly Form[] | undefined>(
        (piped, stage, index) =>
          index > 0 && piped === undefined ? undefined : printedBy(stage, scope, piped),
        input,
      )
    default:
      return undefined
  }
}

/** One after the other. Of what a step changes only the folder is followed: `cd x && pwd`. */
function together(
  steps: readonly Tree[],
  scope: VariableScope,
  input: readonly Form[] | undefined,
): readonly Form[] | undefined {
  let forms: readonly Form[] = [[]]
  let here = scope
  for (const step of steps) {
    const folder = enteredBy(step, here)
    if (folder !== undefined) here = { ...here, cwd: folder, mayBeIn: undefined }
    const next = folder === undefined ? printedBy(step, here, input) : [[]]
    if (next === undefined || forms.length * next.length > 8) return undefined
    forms = forms.flatMap((form) => next.map((more) => concatForms(form, more)))
  }
  return forms
}

function enteredBy(step: Tree, scope: VariableScope): string | undefined {
  if (step.kind !== 'simple' || step.words[0]?.source !== 'cd' || step.words.length !== 2) return undefined
  const text = exactText(step.words.flatMap((word) => expand(word, scope))[1])
  return text === undefined || text === '-' ? undefined : resolvePath(text, scope)
}

/** The text a command is given on standard input by a here-document, a here-string, or a file of this line. */
export function inputText(
  redirects: readonly RedirectTree[],
  scope: VariableScope,
): readonly Form[] | undefined {
  const last = redirects.findLast((redirect) => {
    return redirect.operator.startsWith('<') && (redirect.descriptor ?? 0) === 0
  })
  if (last === undefined) return undefined
  if (last.operator.startsWith('<<')) return expandWhole(last.target, scope).forms
  if (scope.files.size === 0) return undefined
  const target = expandWhole(last.target, scope)
  const number = last.operator === '<&' ? exactText(target) : undefined
  return knownTextAt(number === undefined ? target : exactWord(`/dev/fd/${number}`), scope)
}

/** Is standard input taken from somewhere else by the redirections? */
export function redirectsInput(redirects: readonly RedirectTree[]): boolean {
  return redirects.some((redirect) => redirect.operator.startsWith('<') && (redirect.descriptor ?? 0) === 0)
}

function redirectsOutput(redirects: readonly RedirectTree[]): boolean {
  return redirects.some(({ operator, descriptor }) => /^(&?>|>\|)/.test(operator) && (descriptor ?? 1) === 1)
}

function redirectedInput(
  redirects: readonly RedirectTree[],
  scope: VariableScope,
  piped: readonly Form[] | undefined,
): readonly Form[] | undefined {
  return inputText(redirects, scope) ?? (redirectsInput(redirects) ? undefined : piped)
}

function simpleOutput(
  tree: SimpleTree,
  scope: VariableScope,
  piped: readonly Form[] | undefined,
): readonly Form[] | undefined {
  const [name, ...args] = tree.words.flatMap((word) => expand(word, scope))
  const input = redirectedInput(tree.redirects, scope, piped)
  // `$(<file)`
  if (name === undefined) return redirectsInput(tree.redirects) ? input : undefined
  if (redirectsOutput(tree.redirects)) return [[]]
  const program = baseName(exactText(name) ?? '')
  const prints = PRINTS.get(program)
  if (prints !== undefined) return prints(args, scope)
  const options = args.map(exactText)
  const chosen = input === undefined ? undefined : chosenLines(program, options, input)
  if (chosen !== undefined) return chosen
  const some = scope.files.size === 0 ? undefined : someLines(program, args, input, scope)
  if (some !== undefined) return some
  const filter = FILTERS.get(program)
  if (filter === undefined) return undefined
  if (input !== undefined && filter.options(options)) return filtered(filter.change, input, options)
  return scope.files.size === 0 ? undefined : fileOutput(filter, args, scope)
}

function filtered(
  change: ((text: string, args: readonly string[]) => string | undefined) | undefined,
  input: readonly Form[],
  options: readonly (string | undefined)[],
): readonly Form[] | undefined {
  if (change === undefined) return input
  return eachText(input, (text) =>
    change(
      text,
      options.filter((each) => each !== undefined),
    ),
  )
}

/** `tail -n +2 x.sh`, `sed 1d x.sh`, `grep -v '^#' x.sh`: some lines of a file of this line, it is not said which. */
function someLines(
  program: string,
  args: readonly Word[],
  input: readonly Form[] | undefined,
  scope: VariableScope,
): readonly Form[] | undefined {
  if (!/^(?:tail|head|[ef]?grep|sed|sort|uniq|awk|gawk)$/.test(program)) return undefined
  if (program === 'sed' && args.some((word) => /^s(\W)/.test(exactText(word) ?? ''))) return undefined
  if (
    /awk$/.test(program) &&
    !args.some((word) =>
      /^(?:1|NR[^{}]*|\/[^{}]*\/)(?:\s*\{\s*print(?: \$0)?;?\s*\})?$/.test(exactText(word) ?? ''),
    )
  )
    return undefined
  const last = args.at(-1)
  const file = last === undefined ? undefined : knownTextAt(last, scope)
  const text = exactForm((file ?? input)?.[0] ?? [])
  const lines = text?.split('\n').filter((line) => line.trim() !== '') ?? []
  if (text === undefined || (file === undefined && program !== 'tail') || lines.length > LINES_MAX)
    return undefined
  return [text, ...lines].map(textForm)
}

const LINES_MAX = 24

/** `cat x.sh`, `base64 -d x`: the last argument is a file of this line. */
function fileOutput(
  filter: {
    readonly options: (args: readonly (string | undefined)[]) => boolean
    readonly change?: (text: string, args: readonly string[]) => string | undefined
  },
  args: readonly Word[],
  scope: VariableScope,
): readonly Form[] | undefined {
  const file = args.at(-1)
  const options = args.slice(0, -1).map(exactText)
  const text = file === undefined ? undefined : knownTextAt(file, scope)
  if (filter.change === undefined && args.length > 1) return allTexts(args, scope)
  return text === undefined || !filter.options(options) ? undefined : filtered(filter.change, text, options)
}

/** `cat a b`: one after the other; what stands in a file of before is not known. */
function allTexts(args: readonly Word[], scope: VariableScope): readonly Form[] | undefined {
  const files = args.filter((word) => !/^-/.test(exactText(word) ?? ''))
  const texts = files.map((word) => knownTextAt(word, scope))
  if (texts.every((text) => text === undefined)) return undefined
  const gap: Form = [textPiece('\n')]
  return [
    concatForms(
      ...texts.flatMap((text, at) => {
        const unknown: Form = [{ kind: 'unknown', text: files[at]?.source ?? '' }]
        return [text?.[0] ?? unknown, gap]
      }),
    ),
  ]
}

type Prints = (args: readonly Word[], scope: VariableScope) => readonly Form[] | undefined

const PRINTS: ReadonlyMap<string, Prints> = new Map<string, Prints>(
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
