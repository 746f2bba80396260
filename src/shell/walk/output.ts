import { expand, expandWhole } from '../expand/expand.ts'
import { knownTextAt } from '../expand/line-files.ts'
import type { VariableScope } from '../expand/scope.ts'
import type { RedirectTree, SimpleTree, Tree } from '../grammar/tree.ts'
import type { Filter, LineFilter } from '../programs/aspects/output.ts'
import { programOf } from '../programs/index.ts'
import { baseName, resolvePath } from '../words/paths.ts'
import {
  concatForms,
  eachText,
  exactForm,
  exactText,
  exactWord,
  type Form,
  hasUnknown,
  textForm,
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
  const spec = programOf(program)
  if (spec?.prints !== undefined) return spec.prints(args, scope)
  const options = args.map(exactText)
  const chosen = input === undefined ? undefined : chosenNames(spec?.choosesLines, options, input)
  if (chosen !== undefined) return chosen
  const some = scope.files.size === 0 ? undefined : someLines(spec?.choosesLines, args, input, scope)
  if (some !== undefined) return some
  const filter = spec?.filters
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

/** Some of the names a listing printed: `ls -a | grep cl`. Only for listings whose names are patterns. */
function chosenNames(
  filter: LineFilter | undefined,
  options: readonly (string | undefined)[],
  input: readonly Form[],
): readonly Form[] | undefined {
  if (input.length === 0 || input.some((form) => exactForm(form) !== undefined || hasUnknown(form)))
    return undefined
  const chosen = filter?.ofListing?.(options)
  const letters = chosen?.holding
  return chosen === undefined || letters === undefined
    ? chosen && input
    : input.map((form) => holding(form, letters))
}

/** A name of which nothing else is known must hold these letters. */
function holding(form: Form, letters: string): Form {
  const last = form.at(-1)
  if (last?.kind !== 'glob' || last.text !== '*') return form
  return concatForms(form, [textPiece(letters), last])
}

/** `tail -n +2 x.sh`, `sed 1d x.sh`, `grep -v '^#' x.sh`: some lines of a file of this line, it is not said which. */
function someLines(
  filter: LineFilter | undefined,
  args: readonly Word[],
  input: readonly Form[] | undefined,
  scope: VariableScope,
): readonly Form[] | undefined {
  if (filter?.ofFile?.(args) !== true) return undefined
  const last = args.at(-1)
  const file = last === undefined ? undefined : knownTextAt(last, scope)
  const text = exactForm((file ?? input)?.[0] ?? [])
  const lines = text?.split('\n').filter((line) => line.trim() !== '') ?? []
  if (text === undefined || (file === undefined && filter.ofInput !== true) || lines.length > LINES_MAX)
    return undefined
  return [text, ...lines].map(textForm)
}

const LINES_MAX = 24

/** `cat x.sh`, `base64 -d x`: the last argument is a file of this line. */
function fileOutput(
  filter: Filter,
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
