import { lastPart } from './patterns.ts'
import type { Form, Word } from './words.ts'

/**
 * Letters, blanks and dashes that look like others, where a mistake would matter: in the name of a program, an option
 * or a host. They are never folded: the shell does not either. In every other text all letters of all languages are fine.
 */
export function disguised(words: readonly Word[]): string | undefined {
  for (const [at, word] of words.entries()) {
    if (!word.forms.some(isForeign)) continue
    for (const form of word.forms) {
      const found =
        at === 0
          ? inName(form)
          : (inOption(form, word.source) ?? inHost(form) ?? inVerb(form, word.source, at))
      if (found !== undefined) return found
    }
  }
  return undefined
}

const FOREIGN = /[^\0-\x7F]/

function isForeign(form: Form): boolean {
  return form.some((piece) => piece.kind !== 'unknown' && FOREIGN.test(piece.text))
}

function written(form: Form): string {
  return form.map((piece) => (piece.kind === 'unknown' ? ' ' : piece.text)).join('')
}

/** A program that is looked for by its bare name has a plain one. */
function inName(form: Form): string | undefined {
  const whole = written(form)
  const bare = whole.includes('/') ? undefined : FOREIGN.exec(whole)?.[0]
  return described(
    NEVER.exec(whole)?.[0] ?? lookAlike(written(lastPart(form))) ?? bare,
    'in the name of a program',
  )
}

/** `git pu\u0455h`: the first word after the program, where it is plain but for a letter or two. */
function inVerb(form: Form, source: string, at: number): string | undefined {
  const text = at === 1 ? written(form) : ''
  const mixed = /^[a-z-]+$/.test(text.replace(new RegExp(TWIN, 'gu'), 'x')) && /[a-z]/.test(text)
  return mixed && text === source
    ? described(lookAlike(text), 'in a word that looks like a command')
    : undefined
}

const DASH = /^[-\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]+[^\s\d-]/
const DASHED = /^(-+)([^=]*)/

/** A dash that is no dash counts only where it is not quoted: prose may begin with one. */
function inOption(form: Form, source: string): string | undefined {
  const text = written(form)
  const where = 'in the name of an option'
  if (!text.startsWith('-')) {
    return DASH.test(text) && text.startsWith(source.slice(0, 1)) && !/\s/.test(text)
      ? described(text.slice(0, 1), where)
      : undefined
  }
  const name = DASHED.exec(text)?.[2] ?? ''
  return /\s/.test(name) ? undefined : described(lookAlike(name), where)
}

const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@\s]*@)?|[\w.-]+@)([^/?#:\s]+)/i

function inHost(form: Form): string | undefined {
  return described(lookAlike(HOST.exec(written(form))?.[1] ?? ''), 'in the name of a host')
}

/** Never part of a name: other blanks, dashes, slashes and dots; letters in another dress (full width, mathematical). */
const NEVER =
  /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2010-\u2015\u2043\u2212\u2024\u2044\u2215\u29F8\u3002\uFE52\uFE58\uFE63\uFF01-\uFF5E\uFF61\u2100-\u214F\u2460-\u24FF\u{1D400}-\u{1D7FF}\u{1F130}-\u{1F189}]/u

/** Letters of other alphabets, and odd ones of our own, that can stand for a plain one. */
const OTHER_SCRIPT =
  /[\u0131\u017F\u0237\u0251\u0261\u026A\u028F\u0370-\u03FF\u0400-\u058F\u13A0-\u13FF\u1C80-\u1C8F\u1D00-\u1D7F\u1F00-\u1FFF\uA640-\uA69F\uAB70-\uABBF]/u
/** Those that cannot be told from a plain letter at all. */
const TWIN = /[аеорсухіјѕԁһӏԛԝ]/u
const TWINS = /^[аеорсухіјѕԁһӏԛԝАВЕКМНОРСТХІЈЅοανρυτΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡıɑ]+$/u

/** The first character that may be taken for another. A word wholly of another alphabet is just a word. */
function lookAlike(name: string): string | undefined {
  const never = NEVER.exec(name)?.[0]
  if (never !== undefined) return never
  return name
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => OTHER_SCRIPT.test(part) && (/[A-Za-z]/.test(part) || TWINS.test(part)))
    .map((part) => OTHER_SCRIPT.exec(part)?.[0])
    .find((character) => character !== undefined)
}

function described(character: string | undefined, where: string): string | undefined {
  if (character === undefined) return undefined
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `it contains U+${code}, which looks like another character, ${where}`
}
