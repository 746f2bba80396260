import type { Language } from '../../vocabulary/command.ts'
import { concatForms, exactText, type Form, textPiece, type Word } from '../../words/words.ts'

/** What an interpreter's arguments are. */
export interface InterpreterArguments {
  readonly code: readonly Form[]
  /** The file it runs; undefined when it would read standard input. */
  readonly script?: Word
  /** The file was named as the program; what else it reads is data. */
  readonly program?: boolean
  /** It does something else: a module, its version. */
  readonly other?: boolean
  /** Where an option chooses it. */
  readonly language?: Language
}

/** How the options of an interpreter are written. */
interface Options {
  /** Letters that take code, attached or as the next word. */
  readonly code: string
  /** Letters that take a word, attached or next. */
  readonly valued: string
  /** Letters that take only what is attached to them. */
  readonly attached: string
  /** Letters with which it runs no code of ours: a module, a check. */
  readonly other: string
  readonly long: RegExp
  readonly longValued: RegExp
  /** A long name after one dash whose value is code. */
  readonly longCode?: RegExp
  /** Options may stand behind operands. */
  readonly mixed?: boolean
}

const NONE = /^(?!)/

/** Reads bundles such as `-Ic code` and `-lne'code'`; several codes are one program. */
function optionsFinder(options: Options): (args: readonly Word[]) => InterpreterArguments {
  return (args) => {
    const code: Word[] = []
    let operand: Word | undefined
    for (let at = 0; at < args.length; at += 1) {
      const word = args[at]
      const text = word?.forms[0]?.[0]?.kind === 'text' ? word.forms[0][0].text : ''
      if (word === undefined) break
      if (text === '--') return given(code, operand ?? args[at + 1])
      if (!text.startsWith('-') || text === '-') {
        if (options.mixed !== true) return given(code, word)
        operand ??= word
        continue
      }
      if (text.startsWith('--')) {
        const name = text.split('=', 1)[0] ?? text
        if (options.long.test(name))
          code.push(text.includes('=') ? cut(word, name.length + 1) : (args[++at] ?? word))
        else if (options.longValued.test(text)) at += 1
        else if (/^--(version|help|check|test)$/.test(name)) return { code: [], other: true }
        continue
      }
      if (options.longCode?.test(text) === true) {
        code.push(args[++at] ?? word)
        continue
      }
      const bundle = readBundle(text, options)
      if (bundle.other) return given(code, undefined, true)
      if (bundle.code >= 0)
        code.push(
          bundle.code < text.length || word.forms[0]?.length !== 1
            ? cut(word, bundle.code)
            : (args[++at] ?? word),
        )
      else if (bundle.takesNext) at += 1
    }
    return given(code, operand)
  }
}

function given(code: readonly Word[], script: Word | undefined, other = false): InterpreterArguments {
  if (code.length === 0) return { code: [], ...(script === undefined ? {} : { script }), other }
  const joined =
    code.length === 1
      ? code[0]?.forms
      : [concatForms(...code.flatMap((word) => [word.forms[0] ?? [], [textPiece('\n')]]))]
  return { code: joined ?? [] }
}

function readBundle(
  text: string,
  options: Options,
): { readonly code: number; readonly takesNext: boolean; readonly other: boolean } {
  for (let at = 1; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    // `node -pe code` is both at once.
    const isLast = options.code.includes(letter) && !options.code.includes(text.slice(at + 1) || ' ')
    if (isLast) return { code: at + 1, takesNext: false, other: false }
    if (options.other.includes(letter)) return { code: -1, takesNext: false, other: true }
    if (options.attached.includes(letter)) break
    if (options.valued.includes(letter)) return { code: -1, takesNext: at === text.length - 1, other: false }
  }
  return { code: -1, takesNext: false, other: false }
}

/** The word without its first characters. */
function cut(word: Word, count: number): Word {
  return {
    ...word,
    forms: word.forms.map((form) => {
      const [first, ...rest] = form
      return first === undefined ? form : concatForms([{ ...first, text: first.text.slice(count) }], rest)
    }),
  }
}

/** How a program is given code of another language. */
export interface Interpreter {
  readonly language: Language
  readonly readsInput: boolean
  find(args: readonly Word[]): InterpreterArguments
}

export function interpreter(language: Language, options: Partial<Options>): Interpreter {
  const all: Options = {
    code: '',
    valued: '',
    attached: '',
    other: '',
    long: NONE,
    longValued: NONE,
    ...options,
  }
  return { language, readsInput: true, find: optionsFinder(all) }
}

/** The program text is the first operand, unless an option gave it. */
export function findProgram(
  code: string,
  files: string,
  valued: string,
  long: RegExp,
  mixed: boolean,
): (args: readonly Word[]) => InterpreterArguments {
  const find = optionsFinder({
    code,
    valued: valued + files,
    attached: 'i',
    other: '',
    long,
    longValued: /^--(file|field-separator|assign|include)$/,
    mixed,
  })
  return (args) => {
    const fromFile = args.some((word) =>
      new RegExp(`^(-[a-zA-Z]*[${files}]|--file)`).test(exactText(word) ?? ''),
    )
    const found = find(args)
    const file = fromFile ? programFile(args, files) : undefined
    if (found.code.length === 0 && file !== undefined) return { code: [], script: file, program: true }
    if (found.code.length > 0 || fromFile || found.script === undefined)
      return { code: found.code, other: true }
    return { code: found.script.forms }
  }
}

/** `-f FILE`: the next word, where the letter is the last of its bundle. */
function programFile(args: readonly Word[], files: string): Word | undefined {
  const at = args.findIndex((word) =>
    new RegExp(`^(-[a-zA-Z]*[${files}]|--file)$`).test(exactText(word) ?? ''),
  )
  return at < 0 ? undefined : args[at + 1]
}
