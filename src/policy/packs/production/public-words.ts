import { wordList } from '../../../core/word-list.ts'

/** The ways to write "for everyone": in JSON with any quoting, in form fields, in options of common programs. */

/** A key and a value that together mean everyone. */
const PAIRS: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^type$/i, /^anyone$/i],
  [
    /^(?:visibility|access|sharing|privacy|link_?share(?:_?scope)?)$/i,
    /^(?:public|anyone|anyone_?with_?(?:the_?)?link)$/i,
  ],
  [/^(?:with_?link|is_?public|public|allow_?anonymous)$/i, /^true$/i],
  [/^(?:members?|entity|principal|grantee)$/i, /^(?:allUsers|allAuthenticatedUsers|anyone)$/i],
  [/^acl$/i, /^public-read(?:-write)?$/i],
]

export function publicValue(key: string, value: unknown): boolean {
  return PAIRS.some(([keys, values]) => keys.test(key) && values.test(String(value)))
}

/** `"type": "anyone"` in either quoting, escaped or not, and `type=anyone`. Bounded: no part can be matched twice. */
const IN_TEXT =
  /(?:^|[\s{,&?(;])\\{0,3}["']?(\w{1,30})\\{0,3}["']?\s{0,4}[:=]\s{0,4}\[?\s{0,4}\\{0,3}["']?([\w-]{1,40})\\{0,3}(?:["']|(?=[\s,}&\])]|$))/g

/** The part of a text that means everyone. */
export function publicText(text: string): string | undefined {
  for (const pair of text.slice(0, TEXT_MAX).matchAll(IN_TEXT)) {
    if (publicValue(pair[1] ?? '', pair[2])) return `${pair[1]}: ${pair[2]}`
  }
  return undefined
}

const TEXT_MAX = 64 * 1024

/** Programs that only print, search or send such a text. */
const TEXT_ONLY = new Set([
  ...wordList(`
    echo printf grep egrep fgrep rg ag ack sed awk jq yq cat tee git test [ kubectl docker psql mysql sqlite3
    man tr cut sort diff export read ls find head tail less wc terraform npm pnpm yarn
  `),
  '',
])

/** What makes the command share with everyone, or undefined. */
export function publicFlag(program: string, words: readonly string[]): string | undefined {
  const own = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined
  if (own !== undefined) return own(words)
  if (TEXT_ONLY.has(program)) return undefined
  if (words.some((word) => LOOKS.test(word))) return undefined
  const flag = flagged(words, /^--?type$/, /^anyone$/i) ?? flagged(words, /^--visibility$/, /^public$/i)
  const texts = words.filter((word) => !/^https?:\/\//i.test(word))
  return flag ?? texts.map(publicText).find((each) => each !== undefined)
}

const LOOKS = /^(?:list|get|describe|show)$/

const PROGRAMS: Readonly<Record<string, (words: readonly string[]) => string | undefined>> = {
  gh(words) {
    const verb = words
      .filter((word) => !word.startsWith('-'))
      .slice(0, 2)
      .join(' ')
    if (verb === 'repo create' || verb === 'gist create') {
      return words.find((word) => word === '--public' || (verb === 'gist create' && /^-\w*p/.test(word)))
    }
    if (verb === 'repo edit') return flagged(words, /^--visibility$/, /^public$/i)
    return words[0] === 'api' ? words.map(publicText).find((each) => each !== undefined) : undefined
  },
  aws: (words) =>
    words.some((word) => /^(?:get|list|describe)-/.test(word))
      ? undefined
      : flagged(words, /^--acl$/, /^public-read/i),
  gsutil(words) {
    const changes = words.some(
      (word) => word === 'ch' || word === 'set' || word === 'cp' || word === 'setacl',
    )
    const removes = words.includes('-d') || words.includes('-r')
    return changes && !removes
      ? words.find((word) => /^(?:allUsers|allAuthenticatedUsers)\b|^public-read$/i.test(word))
      : undefined
  },
  gcloud: (words) =>
    words.some((word) => /^(?:add-iam-policy-binding|set-iam-policy|update|create|deploy)$/.test(word))
      ? (flagged(words, /^--member$/, /^allUsers|^allAuthenticatedUsers/i) ??
        words.find((word) => /^--(?:allow-unauthenticated|predefined-acl=publicRead)/i.test(word)))
      : undefined,
  az: (words) => flagged(words, /^--public-access$/, /^(?:blob|container)$/i),
  gam: (words) => (words.includes('add') && words.includes('anyone') ? 'anyone' : undefined),
}

/** `--flag value` or `--flag=value`. */
function flagged(words: readonly string[], flag: RegExp, value: RegExp): string | undefined {
  for (const [at, word] of words.entries()) {
    const [name = '', attached] = word.split(/=(.*)/s)
    const given = attached ?? words[at + 1] ?? ''
    if (flag.test(name) && value.test(given)) return `${name} ${given}`
  }
  return undefined
}
