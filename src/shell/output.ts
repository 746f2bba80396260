import { expand, expandWhole, type Scope } from './expand.ts'
import { foundPaths, readFind } from './find.ts'
import { baseName } from './paths.ts'
import type { RedirectTree, SimpleTree, Tree } from './tree.ts'
import { concatForms, exactForm, exactText, type Form, hasUnknown, joinWords, type Word } from './words.ts'

/**
 * What a command prints, where that can be told without running it: `echo rm`, `pwd`, a here-document through
 * `cat`. It is how `$(echo rm) -rf /` and `printf 'rm -rf /' | sh` are read. Undefined means not known.
 */
export function outputOf(tree: Tree, scope: Scope, input?: readonly Form[]): readonly Form[] | undefined {
  if (tree.kind === 'simple') return simpleOutput(tree, scope, input)
  if (tree.kind !== 'pipeline') return undefined
  return tree.stages.reduce<readonly Form[] | undefined>(
    (piped, stage, index) => (index > 0 && piped === undefined ? undefined : outputOf(stage, scope, piped)),
    input,
  )
}

/** The text a command is given by a here-document or here-string on standard input. */
export function inputText(redirects: readonly RedirectTree[], scope: Scope): readonly Form[] | undefined {
  const last = redirects.findLast((redirect) => {
    return redirect.operator.startsWith('<<') && (redirect.descriptor ?? 0) === 0
  })
  return last === undefined ? undefined : expandWhole(last.target, scope).forms
}

/** Is standard input taken from somewhere else by the redirections? */
export function redirectsInput(redirects: readonly RedirectTree[]): boolean {
  return redirects.some((redirect) => redirect.operator.startsWith('<') && (redirect.descriptor ?? 0) === 0)
}

function simpleOutput(
  tree: SimpleTree,
  scope: Scope,
  piped: readonly Form[] | undefined,
): readonly Form[] | undefined {
  const [name, ...args] = tree.words.flatMap((word) => expand(word, scope))
  const program = baseName(exactText(name) ?? '')
  const input = inputText(tree.redirects, scope) ?? (redirectsInput(tree.redirects) ? undefined : piped)
  const prints = PRINTS.get(program)
  if (prints !== undefined) return prints(args, scope)
  const options = args.map(exactText)
  const filters = FILTERS.get(program)
  if (filters === undefined || input === undefined || !filters.options(options)) return undefined
  return filters.change === undefined ? input : eachExact(input, filters.change)
}

type Prints = (args: readonly Word[], scope: Scope) => readonly Form[] | undefined

const PRINTS: ReadonlyMap<string, Prints> = new Map<string, Prints>(
  Object.entries({
    echo: echoOutput,
    printf: printfOutput,
    pwd: (_args, scope) => (scope.cwd === undefined ? undefined : [textForm(scope.cwd)]),
    mktemp: (args) =>
      args.every((word) => /^-(d|u|q|du|dq)$/.test(exactText(word) ?? '')) ? [TEMPORARY] : undefined,
    which: (args) => (args.length === 1 ? args[0]?.forms : undefined),
    command: (args) => (exactText(args[0]) === '-v' ? args[1]?.forms : undefined),
    find: (args) => foundPaths(readFind(args)).forms,
    git: (args) =>
      BRANCH_OR_COMMIT.test(args.map((word) => exactText(word) ?? '?').join(' ')) ? [NAME] : undefined,
    date: (args) => (args.every((word) => exactText(word) !== undefined) ? [NAME] : undefined),
    whoami: () => [NAME],
    nproc: () => [NAME],
    uname: () => [NAME],
    hostname: () => [NAME],
    true: () => [[]],
    ':': () => [[]],
  } satisfies Record<string, Prints>),
)

const TEMPORARY: Form = [
  { kind: 'text', text: '/tmp/tmp.' },
  { kind: 'glob', text: '[A-Za-z0-9]*' },
]
/** Some text that begins with a letter or digit: no option, no path out of here, no `+ref`. */
const NAME: Form = [{ kind: 'glob', text: '[A-Za-z0-9]*' }]
const BRANCH_OR_COMMIT =
  /^(branch --show-current|rev-parse (--short(=\d+)? |--verify |--abbrev-ref )?HEAD|symbolic-ref (-q )?--short HEAD)$/

/** A program that passes its input on, changed or not. */
interface Filter {
  readonly options: (args: readonly (string | undefined)[]) => boolean
  /** Undefined passes the input on as it is, known or not. */
  readonly change: ((text: string) => string | undefined) | undefined
}

const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>(
  Object.entries({
    cat: { options: (args) => args.every((arg) => arg === '-'), change: undefined },
    tee: { options: () => true, change: undefined },
    rev: {
      options: (args) => args.length === 0,
      change: (text) => text.split('\n').map(reversed).join('\n'),
    },
    base64: {
      options: (args) =>
        args.length > 0 && args.every((arg) => /^(-[dDi]+|--decode|--ignore-garbage)$/.test(arg ?? '')),
      change: decodeBase64,
    },
    xxd: {
      options: (args) =>
        /r/.test(args.join('')) && args.every((arg) => /^-(r|p|ps|rp|plain|revert)$/.test(arg ?? '')),
      change: decodeHex,
    },
  } satisfies Record<string, Filter>),
)

function echoOutput(args: readonly Word[]): readonly Form[] | undefined {
  const options = args.findIndex((word) => !/^-[neE]+$/.test(exactText(word) ?? ''))
  const rest = options < 0 ? [] : args.slice(options)
  const flags = (options < 0 ? args : args.slice(0, options)).map((word) => exactText(word) ?? '').join('')
  const forms = joinWords(rest)
  if (!/e/.test(flags)) return forms
  return forms?.map((form) =>
    form.map((piece) => (piece.kind === 'text' ? { ...piece, text: unescaped(piece.text) } : piece)),
  )
}

const PRINTF_MAX = 256

function printfOutput(args: readonly Word[]): readonly Form[] | undefined {
  const words = exactText(args[0]) === '--' ? args.slice(1) : args
  const format = exactText(words[0])
  if (format === undefined || format === '-v') return undefined
  const values = words.slice(1)
  let forms: readonly Form[] = [[]]
  let used = 0
  do {
    const before = used
    for (const part of format.split(/(%(?:%|[-0-9.]*[a-zA-Z]))/)) {
      const next =
        part === '%%'
          ? [textForm('%')]
          : part.startsWith('%')
            ? conversion(part, values[used++])
            : [textForm(unescaped(part, 'plain'))]
      if (next === undefined || forms.length * next.length > 32) return undefined
      forms = forms.flatMap((form) => next.map((tail) => concatForms(form, tail)))
    }
    if (used === before) break
    if (used > PRINTF_MAX) return undefined
  } while (used < values.length)
  return forms
}

function conversion(specifier: string, word: Word | undefined): readonly Form[] | undefined {
  if (word === undefined) return [[]]
  if (specifier === '%s' || specifier === '%d') return word.forms
  if (specifier === '%b') return eachExact(word.forms, (text) => unescaped(text))
  return undefined
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  f: '',
  v: '',
  e: '\x1b',
}

/** `echo -e` and `%b` write octal as `\0NNN`, a printf format as `\NNN`. */
function unescaped(text: string, octal: 'zero' | 'plain' = 'zero'): string {
  const codes = octal === 'zero' ? ZERO_OCTAL : PLAIN_OCTAL
  return text.replace(codes, (_all, code: string) => {
    if (/^[xu]./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    return ESCAPES[code] ?? code
  })
}

const ZERO_OCTAL = /\\(x[0-9a-fA-F]{1,2}|0[0-7]{1,3}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs
const PLAIN_OCTAL = /\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|.)/gs

function eachExact(
  forms: readonly Form[],
  change: (text: string) => string | undefined,
): readonly Form[] | undefined {
  const changed: Form[] = []
  for (const form of forms) {
    const text = hasUnknown(form) ? undefined : exactForm(form)
    const next = text === undefined ? undefined : change(text)
    if (next === undefined) return undefined
    changed.push(textForm(next))
  }
  return changed
}

function textForm(text: string): Form {
  return text === '' ? [] : [{ kind: 'text', text }]
}

function reversed(line: string): string {
  return [...line].reverse().join('')
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/\s/g, ''))
  } catch {
    return undefined
  }
}

function decodeHex(text: string): string | undefined {
  const digits = text.replace(/\s/g, '')
  if (!/^([0-9a-fA-F]{2})+$/.test(digits)) return undefined
  return digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
}
