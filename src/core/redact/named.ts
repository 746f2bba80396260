import { isLiteral, isMasked, mask } from './mask.ts'

/** A word that often ends a secret's name, the rest of the name, and the characters between name and value. */
const NAMED =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credential|_auth)[A-Za-z0-9_.-]{0,40}(?![A-Za-z0-9_.-])(?:\\{0,15}["'`])?(?<between>\]?[ \t]{0,8}(?:=>|:=|={1,3}|:)[ \t]{0,8}|>|[ \t]{0,8},[ \t]{0,8}|[ \t]{1,8})/gi

/** What every such name has in it. */
const NAME_HINT = /pass|pwd|secret|token|key|credential|_auth/i

/** Masks the value in `NAME=value`, `name: value`, `"name": "value"`, `--name value` and similar forms. */
export function redactNamed(text: string): string {
  if (!NAME_HINT.test(text)) return text
  const pattern = new RegExp(NAMED)
  const ends = rememberEnds()
  let result = ''
  let done = 0
  for (let head = pattern.exec(text); head !== null; head = pattern.exec(text)) {
    // The search continues inside the value: it may end in a name whose own value is longer.
    const value = secretAfter(text, head, ends)
    if (value === undefined || value.end <= done) continue
    if (value.start > done) result += `${text.slice(done, value.start)}${mask('secret')}`
    done = value.end
  }
  return result + text.slice(done)
}

/**
 * Values may overlap, and each is measured from its own start. Without a cache that is quadratic on hostile text.
 * The next end of one kind is the same for every position before it.
 */
type Ends = (kind: string, start: number, find: () => number) => number

function rememberEnds(): Ends {
  const known = new Map<string, Span>()
  return (kind, start, find) => {
    const last = known.get(kind)
    if (last !== undefined && last.start <= start && start <= last.end) return last.end
    const end = find()
    known.set(kind, { start, end })
    return end
  }
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Where the secret is, or undefined if the name or the value shows that this is not a secret. */
function secretAfter(text: string, head: RegExpExecArray, ends: Ends): Span | undefined {
  const name = nameAround(text, head.index)
  if (!isSecretName(name.text)) return undefined
  const gap = head.groups?.between ?? ''
  const between = gap.trim()
  // An XML element, not a comparison.
  const lead = text.slice(Math.max(0, name.start - 3), name.start)
  if (between === '>' && !lead.endsWith('<')) return undefined
  const spaced = between === '' || between === ','
  if (spaced && !takesNextWord(text, name)) return undefined
  // In a list the option is a separate string, not the end of one.
  const closed = /["'`]/.test(head[0])
  if (spaced && closed && !/["'`]/.test(text[name.start - 1] ?? '')) return undefined
  if (between === ',' && !closed) return undefined

  const start = head.index + head[0].length
  // Code that reads the secret, not the secret itself.
  if (/^(?:\$\(|\$?\{\{)/.test(text.slice(start, start + 3))) return undefined
  const value = between === '>' ? until(text, start, '<', ends) : valueAt(text, start, name.text, ends)
  const found = text.slice(value.start, value.end)
  const rest = text.slice(value.end, value.end + 40)
  // A named group of a regex, unless it is closed as an element is.
  if (lead === '(?<' && between === '>' && !rest.startsWith('</')) return undefined
  if (found === '' || (spaced && found.startsWith('-'))) return undefined
  if (found.length <= 80 && isHarmless(name.text, found, rest, between === ':')) return undefined
  if (/\s$/.test(gap) && value.start === start && isCall(found, rest)) return undefined
  return value
}

/** The whole name around a word found in it. Limited, because the text may be one long word. */
function nameAround(text: string, index: number): { readonly text: string; readonly start: number } {
  const before = /[A-Za-z0-9_.-]*$/.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? ''
  const after = /^[A-Za-z0-9_.-]*/.exec(text.slice(index, index + 64))?.[0] ?? ''
  return { text: before + after, start: index - before.length }
}

/** `--name value` and `set some_name value`. In all other cases a space ends the value. */
function takesNextWord(text: string, name: { readonly text: string; readonly start: number }): boolean {
  const option = /(?:^-|--)[^-].*$/.exec(name.text)?.[0]
  if (option !== undefined) return !/^-+(?:no|without|show|reset|skip|disable|require)-/.test(option)
  return (
    /[_:]/.test(name.text) && /\bset[ \t]{1,4}$/.test(text.slice(Math.max(0, name.start - 8), name.start))
  )
}

const HARMLESS =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|string|str|text|varchar|number|int|bool|boolean|any|unknown|required|optional|inherit|include|omit|same-origin|bearer|basic|read|write|await|new|this|self|function|async|is|or|and|flag|option|argument|must|-?\d{1,2}|\{|process\.env\.\w{1,60})$/i

/** Words, types, token counts, variables: values after such names that are not secrets. */
function isHarmless(name: string, value: string, rest: string, afterColon: boolean): boolean {
  if (isMasked(value) || !isLiteral(value) || HARMLESS.test(value)) return true
  // The value is what comes after it: `--with-token <<< value`.
  if (/^<{1,3}-?$/.test(value)) return true
  if (/tokens$/i.test(name) && /^[\d_,.]{1,12}$/.test(value)) return true
  if (/pwd$/i.test(name) && /^[/~.$]/.test(value)) return true
  if (/(?:key|credentials?)$/i.test(name) && /^(?:~|\.{0,2})\/[\w./-]{1,80}$/.test(value)) return true
  if (/^pass$/i.test(name) && afterColon) return true
  // Prose such as "token: handle expiry". A password may be a plain word; a token is not.
  const isWord = /^[A-Za-z][a-z]{0,15}$/.test(value) && /^,? [A-Za-z]/.test(rest)
  return afterColon && isWord && !/pass|pwd|secret/i.test(name)
}

/** Code such as `token = lexer.next()`; closing brackets are not part of a value. */
function isCall(value: string, rest: string): boolean {
  return rest.startsWith(')') && /^[A-Za-z_]{1,40}(?:\.[A-Za-z_]{1,40}){0,4}\($/.test(value)
}

function valueAt(text: string, start: number, name: string, ends: Ends): Span {
  const opening = /^[A-Za-z$@]{0,2}?(\\{0,15})(["'`])/.exec(text.slice(start, start + 18))
  if (opening !== null) {
    const inside = start + opening[0].length
    const [, slashes = '', quote = ''] = opening
    if (endsQuotedText(text, inside, slashes, quote)) return { start, end: start }
    return { start: inside, end: closingQuote(text, inside, slashes, quote, ends) }
  }
  if (text[start] === '[' && !text.startsWith('[redacted:', start)) return until(text, start, ']', ends)
  if (/passphrase$/i.test(name)) return { start, end: lineEnd(text, start, ends) }
  const block = /[|>][+-]?[ \t]{0,8}\r?\n(?:[ \t]{1,40}[^\n]{1,4096}\n?){1,50}/y
  block.lastIndex = start
  if (block.test(text)) return { start, end: block.lastIndex }
  return bareWord(text, start, ends)
}

/** Whether the quote in `grep "token=" src` closes a string: their number on the line is even, and no value follows. */
function endsQuotedText(text: string, inside: number, slashes: string, quote: string): boolean {
  if (!/^(?:$|[\s,;:)\]}])/.test(text.slice(inside, inside + 1))) return false
  const before = text.slice(Math.max(0, inside - 500), inside)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const quotes = [...line.matchAll(new RegExp(`(\\\\*)${quote}`, 'g'))].filter(([, run]) => run === slashes)
  return quotes.length % 2 === 0
}

/**
 * Inside text that is itself quoted, quotes have backslashes before them: 1, 3, 7, ... A quote closes when it has as
 * many as the opening one, not counting escaped backslashes before it. If it never closes, the rest of the line counts.
 */
function closingQuote(text: string, start: number, slashes: string, quote: string, ends: Ends): number {
  const close = ends(`${slashes}${quote}`, start, () => {
    let run = 0
    for (let index = start; index < text.length; index++) {
      if (text[index] === '\\') run++
      else if (text[index] === quote && run % (2 * (slashes.length + 1)) === slashes.length) {
        return index - slashes.length
      } else run = 0
    }
    return text.length
  })
  return close === text.length ? lineEnd(text, start, ends) : close
}

/** Up to a space or a quote, `&&`, `||`, or the next query parameter; without closing punctuation. */
function bareWord(text: string, start: number, ends: Ends): Span {
  let end = ends('word', start, () => wordEnd(text, start))
  if (/[([]/.test(text[end - 1] ?? '') && /["'`]/.test(text[end] ?? '')) {
    // A call around the value, as in `Secret("...")`.
    return { start, end: closingQuote(text, end + 1, '', text[end] ?? '', ends) }
  }
  const masked = /^\[redacted:[a-z-]{1,30}\]/.exec(text.slice(start, start + 50))?.[0].length ?? 0
  const last = /[,;)}\]\\.:!?]{1,200}$/.exec(text.slice(Math.max(start + masked, end - 200), end))
  end -= last?.[0].length ?? 0
  return { start, end }
}

function wordEnd(text: string, start: number): number {
  const stop = /[\s"'`&|]/g
  stop.lastIndex = start
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    const rest = text.slice(found.index, found.index + 66)
    if (!/^[&|]/.test(rest) || /^(?:&&|\|\||&[\w.-]{1,64}=)/.test(rest)) return found.index
  }
  return text.length
}

function until(text: string, start: number, closing: string, ends: Ends): Span {
  const length = text.slice(start, start + 4096).indexOf(closing)
  if (length === -1) return bareWord(text, start, ends)
  return { start, end: start + length + (closing === ']' ? 1 : 0) }
}

function lineEnd(text: string, start: number, ends: Ends): number {
  return ends('line', start, () => {
    const newline = text.indexOf('\n', start)
    return newline === -1 ? text.length : newline
  })
}

const KEY_OF =
  /(?:api|access|private|secret|signing|encryption|auth|account|master|ssh|deploy|storage|session|service|shared|subscription|app|jwt|hmac|webhook|client|openai|anthropic|stripe|aws)$/
/** Last words of names that describe a secret but do not contain it. */
const ABOUT =
  /^(?:types?|counts?|limits?|files?|paths?|names?|len|length|size|expiry|expires|expiration|ttl|age|ur[il]|endpoint|budget|usage|used|policy|fields?|header|env|var|ref|prompt|helper|store|manager|provider|index|strategy|rotation|reset|bucket|ring|stdin|in|at|py|ts|js|md|go|rs|java|txt|json|ya?ml)$/

export function isSecretName(name: string): boolean {
  if (!NAME_HINT.test(name)) return false
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  if (ABOUT.test(last) || (last === 'id' && !words.includes('secret'))) return false
  return (
    name === '_auth' ||
    words.some(
      (word, index) =>
        /(?:password|passwd|passphrase|passcode|pwd|secret|token|apikey|accesskey|secretkey|privatekey|credential)s?\d*$/.test(
          word,
        ) ||
        word === 'pass' ||
        (/^keys?\d*$/.test(word) && KEY_OF.test(words[index - 1] ?? '')),
    )
  )
}
