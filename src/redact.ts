import type { Json, JsonObject } from './json.ts'

/**
 * Masks secrets in whatever is about to be written down, as `[redacted:kind]`. Pure, and linear in practice on
 * any text: each pattern starts at something rare, is bounded, and what scans further never scans twice.
 * When in doubt it masks: a hidden word costs a reader little, a leaked one cannot be taken back.
 */

/** `extra` are the user's own patterns; they must be known to be linear. */
export function redact(text: string, extra: readonly RegExp[] = []): string {
  let masked = text
  for (const pattern of extra) {
    const every = pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`)
    masked = masked.replace(every, (found) => (found === '' ? '' : mask('custom')))
  }
  for (const { kind, pattern, only } of SHAPES) {
    masked = masked.replace(pattern, (found, ...parts) => {
      const { before = '', secret = found, after = '' } = groupsOf(parts)
      return isMasked(secret) || only?.(secret) === false ? found : `${before}${mask(kind)}${after}`
    })
  }
  return redactNamed(masked)
}

/** The same for every text in a value; what stands under a name that says secret goes as a whole. */
export function redactJson(value: Json, extra: readonly RegExp[] = []): Json {
  return redactValue(value, extra, 0)
}

interface Shape {
  readonly kind: string
  /** Named groups `before`, `secret` and `after` keep what is around the secret. */
  readonly pattern: RegExp
  /** A last look at the secret; false leaves it. */
  only?(secret: string): boolean
}

/** Secrets known by their own shape. No word boundaries: a token glued to other text is still a token. */
const SHAPES: readonly Shape[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----)?/g,
  },
  { kind: 'private-key', pattern: /AGE-SECRET-KEY-1[A-Z0-9]{50,60}/g },
  {
    kind: 'aws-secret-key',
    pattern: /(?<before>(?:AKIA|ASIA)[A-Z0-9]{16}[\s"',:;]{1,5})(?<secret>[A-Za-z0-9/+]{40})/g,
  },
  { kind: 'aws-access-key', pattern: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/g },
  { kind: 'github-token', pattern: /gh[opusr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}/g },
  { kind: 'gitlab-token', pattern: /gl(?:pat|dt|rt|ptt|cbt|oas|soat|agent)-[A-Za-z0-9_.-]{16,255}/g },
  { kind: 'slack-token', pattern: /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,255}|xapp-[A-Za-z0-9-]{16,255}/g },
  {
    kind: 'slack-webhook',
    pattern: /(?<before>hooks\.slack\.com\/(?:services|workflows)\/)(?<secret>[A-Za-z0-9/_-]{16,255})/g,
  },
  { kind: 'stripe-key', pattern: /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{8,255}|whsec_[A-Za-z0-9+/=]{16,255}/g },
  { kind: 'api-key', pattern: /sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,255}/g },
  {
    kind: 'api-key',
    pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,255}/g,
    only: (found) => /\d/.test(found),
  },
  // Glued to a word it may be the end of `task-...`: then only what no word looks like.
  { kind: 'api-key', pattern: /sk-[A-Za-z0-9]{20,255}/g, only: isMixed },
  {
    kind: 'google-key',
    pattern: /AIza[A-Za-z0-9_-]{30,60}|ya29\.[A-Za-z0-9_-]{16,2048}|GOCSPX-[A-Za-z0-9_-]{20,60}/g,
  },
  { kind: 'npm-token', pattern: /npm_[A-Za-z0-9]{30,255}/g },
  {
    kind: 'token',
    pattern: /(?:hf_|dapi|dop_v1_|shpat_|lin_api_|hvs\.)[A-Za-z0-9]{30,255}|pypi-[A-Za-z0-9_-]{50,512}/g,
  },
  { kind: 'sendgrid-key', pattern: /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g },
  {
    // From the start of the run of letters, so that a long run without a dot is scanned once.
    kind: 'jwt',
    pattern:
      /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{10,8192}\.eyJ[A-Za-z0-9_-]{5,16384}(?:\.[A-Za-z0-9_-]{0,2048})?/g,
    only: (found) => found.slice(0, found.indexOf('.')).includes('eyJ'),
  },
  {
    kind: 'authorization',
    pattern:
      /(?<before>authorization[\\"']{0,6}\s{0,4}[:=]\s{0,4}[\\"']{0,6}(?:bearer|basic|token|apikey|api-key|negotiate|ntlm)\s{1,4})(?<secret>[^\s"'\\`]{1,8192})/gi,
    only: isLiteral,
  },
  {
    kind: 'authorization',
    pattern:
      /(?<before>authorization[\\"']{0,6}\s{0,4}[:=]\s{0,4}[\\"']{0,6}(?:digest|hawk|aws4-hmac-sha256)\s{1,4})(?<secret>[^\r\n]{1,4096})/gi,
  },
  {
    kind: 'authorization',
    pattern:
      /(?<before>authorization[\\"']{0,6}\s{0,4}[:=]\s{0,4}[\\"']{0,6})(?<secret>[^\s"'\\`]{8,8192})/gi,
    only: (found) => /\d/.test(found) && isLiteral(found),
  },
  {
    kind: 'authorization',
    pattern: /(?<before>bearer\s{1,4})(?<secret>[A-Za-z0-9._~+/=-]{16,8192})/gi,
    only: (found) => /\d/.test(found),
  },
  {
    kind: 'cookie',
    pattern:
      /(?<before>cookie[\\"']{0,6}\s{0,4}:\s{0,4}[\\"']{0,6})(?<secret>[A-Za-z0-9_.-]{1,128}=[^\r\n"'\\]{1,4096})/gi,
  },
  // A raw `@` may stand in a password; a raw `/` too, unless what is before it is a port.
  {
    kind: 'url-password',
    pattern: /(?<before>:\/\/[^\s:@/"'`]{0,256}:)(?<secret>[^\s/"'`]{1,512})(?<after>@)/g,
    only: isLiteral,
  },
  {
    kind: 'url-password',
    pattern: /(?<before>:\/\/[^\s:@/"'`]{0,256}:)(?<secret>[^\s@"'`]{1,512})(?<after>@)/g,
    only: (found) => !/^\d{1,5}(?:\/|$)/.test(found) && isLiteral(found),
  },
  {
    kind: 'url-password',
    pattern: /(?<before>:\/\/)(?<secret>[A-Za-z0-9_-]{20,255})(?<after>@)/g,
  },
  {
    kind: 'password',
    pattern:
      /(?<before>curl\s[^\r\n|;&]{0,300}?(?:-u|--user)[ =]{0,4}["']?[^\s:"']{1,128}:)(?<secret>[^\s"']{3,512})/g,
    only: (found) => !/^\d+$/.test(found) && isLiteral(found),
  },
  {
    kind: 'password',
    pattern: /(?<before>sshpass\s{1,4}-p\s{0,4})(?<secret>"[^"]{1,512}"|'[^']{1,512}'|[^\s"']{1,512})/g,
  },
  {
    kind: 'password',
    pattern: /(?<before>login\s{1,4}\S{1,128}\s{1,4}password\s{1,4})(?<secret>\S{1,512})/g,
  },
]

function groupsOf(parts: readonly unknown[]): { before?: string; secret?: string; after?: string } {
  const last = parts.at(-1)
  return typeof last === 'object' && last !== null ? last : {}
}

function mask(kind: string): string {
  return `[redacted:${kind}]`
}

function isMasked(value: string): boolean {
  return /^\[redacted:[a-z-]{1,30}\]$/.test(value)
}

/** False for a variable or a placeholder, which names a secret without being it. */
function isLiteral(value: string): boolean {
  return !/^(?:\$\{?[A-Z_][A-Z0-9_]{0,63}\}?|%[A-Z_][A-Z0-9_]{0,63}%|<[A-Za-z_ -]{1,40}>)$/.test(value)
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/.test(value.slice(3)) && /[A-Z]/.test(value)
}

/** A word that often ends a secret's name, the rest of the name, and what stands between name and value. */
const NAMED =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credential|_auth)[A-Za-z0-9_.-]{0,40}(?![A-Za-z0-9_.-])(?:\\{0,15}["'`])?(?<between>\]?[ \t]{0,8}(?:=>|:=|={1,3}|:)[ \t]{0,8}|>|[ \t]{0,8},[ \t]{0,8}|[ \t]{1,8})/gi

/** Masks the value in `NAME=value`, `name: value`, `"name": "value"`, `--name value` and their like. */
function redactNamed(text: string): string {
  const pattern = new RegExp(NAMED)
  const ends = rememberEnds()
  let result = ''
  let done = 0
  for (let head = pattern.exec(text); head !== null; head = pattern.exec(text)) {
    // The search goes on inside the value: it may end in a name whose own value reaches further.
    const value = secretAfter(text, head, ends)
    if (value === undefined || value.end <= done) continue
    if (value.start > done) result += `${text.slice(done, value.start)}${mask('secret')}`
    done = value.end
  }
  return result + text.slice(done)
}

/**
 * Values may overlap, and each is measured from its own start: without a memory that is quadratic on hostile text.
 * The next end of one kind is the same from every place before it.
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

/** Where the secret is, or undefined when the name or the value says that this is none. */
function secretAfter(text: string, head: RegExpExecArray, ends: Ends): Span | undefined {
  const name = nameAround(text, head.index)
  if (!isSecretName(name.text)) return undefined
  const gap = head.groups?.between ?? ''
  const between = gap.trim()
  if (between === '>' && text[name.start - 1] !== '<') return undefined
  const spaced = between === '' || between === ','
  if (spaced && !takesNextWord(text, name)) return undefined
  // In a list the option is a text of its own, not the end of one.
  const closed = /["'`]/.test(head[0])
  if (spaced && closed && !/["'`]/.test(text[name.start - 1] ?? '')) return undefined
  if (between === ',' && !closed) return undefined

  const start = head.index + head[0].length
  // Code that fetches the secret, not the secret.
  if (/^(?:\$\(|\$?\{\{)/.test(text.slice(start, start + 3))) return undefined
  const value = between === '>' ? until(text, start, '<', ends) : valueAt(text, start, name.text, ends)
  const found = text.slice(value.start, value.end)
  const rest = text.slice(value.end, value.end + 40)
  if (found === '' || (spaced && found.startsWith('-'))) return undefined
  if (found.length <= 80 && isHarmless(name.text, found, rest, between === ':')) return undefined
  if (/\s$/.test(gap) && value.start === start && isCall(found, rest)) return undefined
  return value
}

/** The whole name around a word found in it; bounded, because the text may be one long word. */
function nameAround(text: string, index: number): { readonly text: string; readonly start: number } {
  const before = /[A-Za-z0-9_.-]*$/.exec(text.slice(Math.max(0, index - 64), index))?.[0] ?? ''
  const after = /^[A-Za-z0-9_.-]*/.exec(text.slice(index, index + 64))?.[0] ?? ''
  return { text: before + after, start: index - before.length }
}

/** `--name value` and `set some_name value`; anywhere else a space ends the matter. */
function takesNextWord(text: string, name: { readonly text: string; readonly start: number }): boolean {
  const option = /(?:^-|--)[^-].*$/.exec(name.text)?.[0]
  if (option !== undefined) return !/^-+(?:no|without|show|reset|skip|disable|require)-/.test(option)
  return (
    /[_:]/.test(name.text) && /\bset[ \t]{1,4}$/.test(text.slice(Math.max(0, name.start - 8), name.start))
  )
}

const HARMLESS =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|string|str|text|varchar|number|int|bool|boolean|any|unknown|required|optional|inherit|include|omit|same-origin|bearer|basic|read|write|await|new|this|self|function|async|is|or|and|flag|option|argument|must|\{|process\.env\.\w{1,60})$/i

/** Words, types, numbers of tokens, variables: what stands after such names without being a secret. */
function isHarmless(name: string, value: string, rest: string, afterColon: boolean): boolean {
  if (isMasked(value) || !isLiteral(value) || HARMLESS.test(value)) return true
  if (/tokens$/i.test(name) && /^[\d_,.]{1,12}$/.test(value)) return true
  if (/pwd$/i.test(name) && /^[/~.$]/.test(value)) return true
  if (/(?:key|credentials?)$/i.test(name) && /^(?:~|\.{0,2})\/[\w./-]{1,80}$/.test(value)) return true
  if (/^pass$/i.test(name) && afterColon) return true
  // Prose such as "token: handle expiry". A password may be a plain word, a token is not.
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
    return { start: inside, end: closingQuote(text, inside, opening[1] ?? '', opening[2] ?? '', ends) }
  }
  if (text[start] === '[' && !text.startsWith('[redacted:', start)) return until(text, start, ']', ends)
  if (/passphrase$/i.test(name)) return { start, end: lineEnd(text, start, ends) }
  const block = /[|>][+-]?[ \t]{0,8}\r?\n(?:[ \t]{1,40}[^\n]{1,4096}\n?){1,50}/y
  block.lastIndex = start
  if (block.test(text)) return { start, end: block.lastIndex }
  return bareWord(text, start, ends)
}

/**
 * Inside text that is itself quoted, quotes carry backslashes: 1, 3, 7, ... of them. A quote closes when it has
 * as many as the opening one, not counting escaped backslashes before it. Never closed: the line is taken.
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

/** Up to a space or a quote, `&&`, `||`, or the next parameter of a query; without closing punctuation. */
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
/** Last words that make a name say something about a secret instead of being one. */
const ABOUT =
  /^(?:types?|counts?|limits?|files?|paths?|names?|len|length|size|expiry|expires|expiration|ttl|age|ur[il]|endpoint|budget|usage|used|policy|fields?|header|env|var|ref|prompt|helper|store|manager|provider|index|strategy|rotation|reset|bucket|ring|stdin|in|at|py|ts|js|md|go|rs|java|txt|json|ya?ml)$/

function isSecretName(name: string): boolean {
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

const DEPTH_MAX = 100

function redactValue(value: Json, extra: readonly RegExp[], depth: number): Json {
  if (typeof value === 'string') return redact(value, extra)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return mask('too-deep')
  if (isList(value)) {
    return value.map((item, index) =>
      isOptionValue(value[index - 1], item) ? mask('secret') : redactValue(item, extra, depth + 1),
    )
  }
  const named = isSecretName(String(value.name ?? value.key ?? ''))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redact(key, extra),
      (isSecretName(key) || (named && key === 'value')) && holdsSecret(key, item)
        ? mask('secret')
        : redactValue(item, extra, depth + 1),
    ]),
  )
}

/** The value of an option in a list of arguments: `["--password", "..."]`. */
function isOptionValue(option: Json | undefined, value: Json): boolean {
  return (
    typeof option === 'string' &&
    typeof value === 'string' &&
    /^--?[A-Za-z][A-Za-z0-9_.-]{1,80}$/.test(option) &&
    isSecretName(option) &&
    !value.startsWith('-') &&
    !isMasked(value)
  )
}

function holdsSecret(key: string, value: Json): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return false
  if (typeof value === 'string') return !isMasked(value)
  return !(typeof value === 'number' && /tokens$/i.test(key))
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value)
}
