import type { Language } from '../vocabulary/command.ts'
import { exactForm, exactWord, type Form, isWhollyUnknown, textPiece, type Word } from '../words/words.ts'
import { type CodeCall, type CodeValue, formOf, possibleTexts, textOf, wordOf, wordsOf } from './values.ts'

/** What one call of a program does. */
export type CodeOutcome =
  /** Text for a shell, or the words of a command. */
  | { readonly kind: 'code'; readonly forms: readonly Form[]; readonly guessed?: boolean }
  | { readonly kind: 'words'; readonly words: readonly Word[] }
  | {
      readonly kind: 'file'
      readonly access: 'read' | 'write' | 'delete'
      readonly form: Form
      readonly recursive: boolean
    }
  /** From here on relative names count from there. */
  | { readonly kind: 'folder'; readonly form: Form }
  | { readonly kind: 'net'; readonly direction: 'in' | 'out'; readonly host: string | undefined }
  /** Text that the program reads as code of its own language. */
  | { readonly kind: 'inline'; readonly language: Language; readonly form: Form }
  | { readonly kind: 'opaque' }

export type ApiEffect = (call: CodeCall) => readonly CodeOutcome[]

/** Which argument: its place, or what a method is called on. */
type Argument = number | 'receiver'

function valueAt(call: CodeCall, at: Argument): CodeValue | undefined {
  return at === 'receiver' ? call.receiver : call.args[at]
}

/** Text for a shell; a list is the words of a command, unless it is handed to a shell all the same. */
export function runs(at: Argument = 0): ApiEffect {
  return (call) => {
    const value = valueAt(call, at) ?? call.named.get('args') ?? call.named.get('cmd')
    const words = wordsOf(value)
    if (words === undefined) return value === undefined ? [] : [{ kind: 'code', forms: possibleTexts(value) }]
    const isShell = textOf(call.named.get('shell'))?.toLowerCase() === 'true'
    const [code] = words
    if (isShell && code !== undefined) return [{ kind: 'code', forms: code.forms }]
    return words.length === 0 ? [] : [{ kind: 'words', words }]
  }
}

/** `spawn('rm', ['-rf', 'x'])`, `system('rm', '-rf', 'x')`; with one argument alone, text for a shell. */
export function starts(from = 0, skip = 0): ApiEffect {
  return (call) => {
    const [program, ...rest] = call.args.slice(from)
    if (program === undefined) return []
    const options = rest.find((each) => each.kind === 'list' && each.named.size > 0)
    const shell = options?.kind === 'list' ? textOf(options.named.get('shell')) : undefined
    const given = rest
      .filter((each) => each !== options)
      .flatMap((each) => (each.kind === 'list' ? each.items : [each]))
    const args = given
      .slice(skip)
      .filter(
        (each) =>
          textOf(each) !== undefined || each.kind !== 'thing' || !/^(function|err|null)/.test(each.name),
      )
    if (program.kind === 'list') return runs(from)(call)
    if (args.length === 0 && rest.length === 0) return [{ kind: 'code', forms: possibleTexts(program) }]
    const words = [wordOf(program), ...args.map(wordOf)]
    if (shell === 'true')
      return [
        {
          kind: 'code',
          forms: [
            words.flatMap((word, at) =>
              at === 0 ? (word.forms[0] ?? []) : [textPiece(' '), ...(word.forms[0] ?? [])],
            ),
          ],
        },
      ]
    return [{ kind: 'words', words }]
  }
}

/** A call that is a command of the same name: `os.chmod(path, mode)` is `chmod mode path`. */
export function asCommand(name: string, ...order: readonly number[]): ApiEffect {
  return (call) => {
    const args = order.flatMap((at) => call.args[at] ?? []).map(wordOf)
    return [{ kind: 'words', words: [{ source: name, forms: [[textPiece(name)]], splits: false }, ...args] }]
  }
}

const STATEMENT = /^\s*(drop|truncate|delete|update|alter)\s/i

/** A statement handed to a database: what a client would do with it on the command line. */
export function queries(at: Argument = 0): ApiEffect {
  return (call) => {
    const value = valueAt(call, at)
    const statement = textOf(value) ?? textOf(value?.kind === 'thing' ? value.made?.args[0] : undefined) ?? ''
    if (!STATEMENT.test(statement) || isThrownAway(call.receiver)) return []
    return [{ kind: 'words', words: ['psql', '-c', statement].map(exactWord) }]
  }
}

/** `/drop/.exec(text)` asks a pattern; a database in memory is gone in a moment anyway. */
function isThrownAway(receiver: CodeValue | undefined): boolean {
  if (receiver?.kind === 'text') return true
  if (receiver?.kind !== 'thing' || receiver.made === undefined) return false
  return textOf(receiver.made.args[0]) === ':memory:' || isThrownAway(receiver.made.receiver)
}

export function touches(
  access: 'read' | 'write' | 'delete',
  at: Argument = 0,
  recursive: boolean | string = false,
): ApiEffect {
  return (call) => {
    const value = valueAt(call, at)
    const values = value?.kind === 'list' ? value.items : value === undefined ? [] : [value]
    const deep = typeof recursive === 'boolean' ? recursive : hasOption(call, recursive)
    return values.flatMap(possibleTexts).map((form) => ({ kind: 'file', access, form, recursive: deep }))
  }
}

/** `os.chdir(path)` */
export function enters(at: Argument = 0): ApiEffect {
  return (call) =>
    possibleTexts(valueAt(call, at) ?? { kind: 'unknown', text: 'a folder' }).map((form) => ({
      kind: 'folder',
      form,
    }))
}

/** Every argument is a file. */
export function touchesAll(access: 'read' | 'write' | 'delete', recursive = false): ApiEffect {
  return (call) => call.args.flatMap((_, at) => touches(access, at, recursive)(call))
}

/** `{recursive: true}`, `recursive=TRUE` */
function hasOption(call: CodeCall, name: string): boolean {
  const given = [call.named, ...call.args.flatMap((each) => (each.kind === 'list' ? [each.named] : []))]
  return given.some(
    (named) =>
      named.has(name) && textOf(named.get(name)) !== 'false' && formOf(named.get(name))[0]?.text !== 'false',
  )
}

/** As `mv` does it: a folder goes with everything in it. */
export function moves(from: Argument = 0, to: Argument = 1): ApiEffect {
  return (call) => {
    const [source, target] = [valueAt(call, from), valueAt(call, to)]
    if (source === undefined || target === undefined) return []
    return possibleTexts(source).map((form) => ({
      kind: 'words',
      words: [exactWord('mv'), { source: spelled(form), forms: [form], splits: false }, wordOf(target)],
    }))
  }
}

function spelled(form: Form): string {
  return exactForm(form) ?? form.map((piece) => piece.text).join('')
}

/** `open(path, mode)`: which it is, the mode tells. */
export function opens(at: Argument = 0, mode = 1): ApiEffect {
  return (call) => {
    const how = textOf(call.args[mode]) ?? textOf(call.named.get('mode')) ?? 'r'
    return touches(/[wax+>]/.test(how) ? 'write' : 'read', at)(call)
  }
}

export function connects(direction: 'in' | 'out', at: Argument = 0): ApiEffect {
  return (call) => {
    const value = valueAt(call, at)
    const first =
      value?.kind === 'list'
        ? (value.items[0] ?? value.named.get('hostname') ?? value.named.get('host'))
        : value
    const host = hostIn(exactForm(formOf(first)))
    const options = call.args[1]
    const given = options?.kind === 'list' ? options.named : call.named
    const method = textOf(given.get('method'))
    const sends =
      direction === 'out' ||
      (method !== undefined && !/^(get|head|options)$/i.test(method)) ||
      ['body', 'data', 'json', 'files'].some((name) => given.has(name))
    return [{ kind: 'net', direction: sends ? 'out' : 'in', host }]
  }
}

function hostIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const host = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[\da-f:]+\]|[\w.-]+)/i.exec(text)?.[1]
  return host === undefined || host === '' ? undefined : host
}

/** Text that is read as code. What a file holds is a program like any other; what is decoded or fetched is not. */
export function evaluates(language: Language, at: Argument = 0): ApiEffect {
  return (call) => {
    const value = valueAt(call, at)
    if (value === undefined) return []
    const isFile =
      value.kind === 'thing' &&
      /^(compile\(\)|(fs\.)?(open|io\.open|File\.read|read|readFileSync|readFile|Path)\b.*)/.test(value.name)
    if (isFile) return []
    const form = formOf(value)
    const hidden = (value.kind === 'text' && value.decoded === true) || isWhollyUnknown(form)
    return [...(hidden ? [{ kind: 'opaque' } as const] : []), { kind: 'inline', language, form }]
  }
}
