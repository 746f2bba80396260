import { lazily } from '../../core/lazily.ts'

/**
 * The input gate: text no honest command needs, and that a person reading it would not see as the shell does,
 * is refused before it is parsed. It never repairs or folds the text: what was judged must be what runs.
 */
export const SIZE_MAX = 32 * 1024
/** With the bodies of quoted here-documents, which are data: a file may be written that way. */
export const WHOLE_MAX = 1024 * 1024

/** Why the text cannot be judged, or undefined when it may be parsed. */
export function gate(text: string): string | undefined {
  const length = text.length > SIZE_MAX && text.length <= WHOLE_MAX ? outsideBodies(text) : text.length
  if (length > SIZE_MAX) return tooLong(length)
  const found = isPlain(text) ? null : refused().exec(text)
  return found === null ? undefined : `it contains ${describe(found[0])} at character ${found.index + 1}`
}

export function tooLong(length: number): string {
  return `it is ${length} characters long, more than ${SIZE_MAX}`
}

const OPENS = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\(\w+))/g
const BODIES_MAX = 64

/** A guess, made before it is worth parsing; the parser knows for certain and counts again. */
function outsideBodies(text: string): number {
  const opens = new RegExp(OPENS)
  let inside = 0
  for (let count = 0; count < BODIES_MAX; count += 1) {
    const found = opens.exec(text)
    if (found === null) break
    const start = text.indexOf('\n', opens.lastIndex)
    const end = start < 0 ? -1 : text.indexOf(`\n${found[1] ?? found[2] ?? found[3] ?? ''}`, start)
    if (end < 0) break
    inside += end - start
    opens.lastIndex = end
  }
  return text.length - inside
}

/**
 * Stands for text that is only known at run time when code is put together from parts (`bash -c "rm $X"`).
 * A noncharacter, which the gate refuses in what comes from outside.
 */
export const HOLE = '\uFFFF'

/**
 * Control characters but tab and newline, lone surrogates, noncharacters, and what is invisible or reorders text.
 * A zero-width joiner between pictographs is an emoji and stays.
 */
const REFUSED = [
  '[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]',
  '[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u200C\\u200E\\u200F\\u2028-\\u202E]',
  '[\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFDD0-\\uFDEF\\uFFF9-\\uFFFB\\uFFFE\\uFFFF]',
  '[\\u{E0000}-\\u{E0FFF}]',
  '\\p{Cs}',
  '(?<![\\p{Extended_Pictographic}\\uFE0F\\p{Emoji_Modifier}])\\u200D',
  '\\u200D(?!\\p{Extended_Pictographic})',
].join('|')

/** Their sets of characters take long to make, and most commands have nothing but plain characters. */
const refused = lazily(() => new RegExp(REFUSED, 'u'))
const allRefused = lazily(() => new RegExp(REFUSED, 'gu'))

/** Printable ASCII, tab and newline, of which nothing is refused. */
function isPlain(text: string): boolean {
  return /^[\t\n -~]*$/.test(text)
}

/** The text as a person sees it, without what the gate refuses; undefined when there is nothing of that in it. */
export function asSeen(text: string): string | undefined {
  if (text.length > SIZE_MAX || isPlain(text) || !refused().test(text)) return undefined
  return text.replace(/\r\n?/g, '\n').replace(allRefused(), '')
}

function describe(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const name = NAMES.find(([first, last]) => code >= first && code <= last)?.[2] ?? 'an invisible character'
  return `${name} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
}

const NAMES: readonly (readonly [number, number, string])[] = [
  [0x00, 0x00, 'a NUL'],
  [0x0d, 0x0d, 'a carriage return'],
  [0x1b, 0x1b, 'an escape character'],
  [0x01, 0x9f, 'a control character'],
  [0x200b, 0x200d, 'a zero-width character'],
  [0x061c, 0x061c, 'a text direction mark'],
  [0x200e, 0x200f, 'a text direction mark'],
  [0x202a, 0x202e, 'a text direction override'],
  [0x2066, 0x2069, 'a text direction isolate'],
  [0xd800, 0xdfff, 'half of a surrogate pair'],
  [0xfdd0, 0xfdef, 'a noncharacter'],
  [0xfffe, 0xffff, 'a noncharacter'],
]
