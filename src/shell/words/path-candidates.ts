import { exactText, exactWord, type Form, patternForm, type Word } from './words.ts'

/**
 * The paths an argument may hold: itself, and what follows or precedes the marks tools put around a file
 * (`--file=x`, `@x`, `host:x`, `rev:x`, `x:/mount`). Addresses of the web are none, unless they are `file:`.
 */
export function candidates(word: Word): readonly Form[] {
  const [only] = word.forms
  if (word.forms.length === 1 && only !== undefined && isPlain(only)) return word.forms
  return word.forms.flatMap((form) => {
    const whole = form.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(whole) && !/^file:/i.test(whole)) return []
    const stripped = withoutScheme(form)
    return [stripped, ...splits(stripped)]
  })
}

/** Whether a file is there, its size or age: `os.path.exists(".env")`. */
const ASKED_ABOUT =
  /\b(?:exists|existsSync|isfile|isdir|is_file|file_exists|exist\?|file\?|getsize|getmtime|filesize|statSync|accessSync)\s*\(\s*(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')\s*\)/g

/** Text that is only printed names no file: `console.log('cat .env')`. */
const PRINTED =
  /\b(?:print|console\.(?:log|error|warn)|puts|echo|println|say)\s*\(?\s*(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')\s*(?=[);\n]|$)/g

/** One text without any of the marks: most words are. */
function isPlain(form: Form): boolean {
  const [only] = form
  return form.length === 1 && only?.kind === 'text' && !/[=@:,]|^-[A-Za-z][^-]/.test(only.text)
}

const LITERAL = /(["'`])((?:(?!\1)[^\\\n]){0,200})\1/g

/** The quoted texts in a piece of code. */
export function literalsIn(code: Word): readonly Word[] {
  return code.forms.flatMap((form) => {
    // What is not known ends a text: the rest may still be read.
    const whole = form.map((piece) => (piece.kind === 'unknown' ? '\n' : piece.text)).join('')
    const text = whole.replace(ASKED_ABOUT, '()').replace(PRINTED, '()')
    const found = [...text.matchAll(LITERAL)].map(([, , inside = '']) => inside)
    return found.filter((inside) => inside !== '').map(exactWord)
  })
}

/** The code without its quoted texts. */
export function withoutLiterals(code: Word): Word {
  const forms = code.forms.map((form) =>
    form.map((piece) => ({ ...piece, text: piece.text.replace(LITERAL, '') })),
  )
  return { ...code, forms }
}

function withoutScheme(form: Form): Form {
  const [first, ...rest] = form
  if (first === undefined || !/^file:\/\//i.test(first.text)) return form
  return [{ ...first, text: first.text.slice('file://'.length) }, ...rest]
}

/** Bounded: an argument with many marks is a table or a query, not a path. */
const SPLITS_MAX = 64

function splits(form: Form): readonly Form[] {
  const found: Form[] = []
  for (const [index, piece] of form.entries()) {
    if (piece.kind !== 'text') continue
    for (const mark of piece.text.matchAll(/[=@:,]/g)) {
      if (found.length >= SPLITS_MAX) return found
      const after = [{ ...piece, text: piece.text.slice(mark.index + 1) }, ...form.slice(index + 1)]
      found.push(after.filter((each) => each.text !== ''))
      if (mark[0] === ':' || mark[0] === ',') {
        const before = [...form.slice(0, index), { ...piece, text: piece.text.slice(0, mark.index) }]
        found.push(before.filter((each) => each.text !== ''))
      }
    }
    // `-Kfile`: a value attached to a short option.
    if (index === 0 && /^-[A-Za-z][^-]/.test(piece.text)) {
      found.push([{ ...piece, text: piece.text.slice(2) }, ...form.slice(1)])
    }
  }
  return found
}

/** Text that the program itself reads as a pattern, as git does with paths. */
export function patternsOf(word: Word): readonly Form[] {
  const text = exactText(word)
  return text === undefined ? word.forms : [patternForm(text)]
}
