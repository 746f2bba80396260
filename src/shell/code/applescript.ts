import { concatForms, exactWord, type Form, textForm, unknownWord, type Word } from '../words/words.ts'
import { evaluateCode } from './evaluate.ts'
import { GRAMMARS } from './grammars.ts'
import { knownValue } from './known.ts'
import { LEXICONS } from './lexicons.ts'
import type { CodeOutcome } from './outcome.ts'
import { type Token, tokenize } from './tokens.ts'
import { formOf, unknown } from './values.ts'

/** `do shell script "code" & x`, Terminal's `do script "code"`, and files that Finder is told to throw away. */
export function readAppleScript(code: string): {
  readonly outcomes: readonly CodeOutcome[]
  readonly broken: boolean
} {
  const { tokens, broken } = tokenize(code, LEXICONS.applescript)
  const asksFinder = tokens.some((token) => /^(?:Finder|System Events)$/i.test(quoted(token) ?? ''))
  const outcomes: CodeOutcome[] = []
  let left = STATEMENTS_MAX
  for (const [at, token] of tokens.entries()) {
    const runs = kindOfRun(tokens, at)
    if (runs === undefined && !(asksFinder && /^(?:delete|move)$/.test(token.text))) continue
    left -= 1
    if (left < 0) return { outcomes, broken: true }
    const statement = statementFrom(tokens, at)
    outcomes.push(
      ...(runs === undefined ? thrownAway(token.text, statement, tokens) : started(runs, statement)),
    )
  }
  return { outcomes, broken }
}

/** Each of them is read on its own, to the end of its line. */
const STATEMENTS_MAX = 256

type Runs = 'shell' | 'typed' | 'applescript'

/** What the text behind this word is: `shell script`, Terminal's `do script`, iTerm's `write text`, keys; `run script`. */
function kindOfRun(tokens: readonly Token[], at: number): Runs | undefined {
  const [before, word] = [tokens[at - 1]?.text ?? '', tokens[at]?.text]
  if (word === 'script' && before === 'run') return 'applescript'
  if (word === 'script' && /^(?:shell|do)$/.test(before)) return 'shell'
  if (word === 'text' && before === 'write') return 'shell'
  return word === 'keystroke' ? 'typed' : undefined
}

/** The tokens behind this one, up to the end of the line. */
function statementFrom(tokens: readonly Token[], at: number): readonly Token[] {
  const end = tokens.findIndex((each, index) => index > at && each.kind === 'line')
  return tokens.slice(at + 1, end < 0 ? undefined : end)
}

function started(runs: Runs, statement: readonly Token[]): readonly CodeOutcome[] {
  if (runs === 'typed') return typed(statement)
  const end = statement.findIndex(({ text }) => /^(?:with|in|without|as)$/.test(text))
  const form = textIn(statement.slice(0, end < 0 ? undefined : end))
  if (runs === 'applescript') return [{ kind: 'inline', language: 'applescript', form }]
  // `with administrator privileges`
  if (!statement.some(({ text }) => text === 'administrator')) return [{ kind: 'code', forms: [form] }]
  const code: Word = { source: form.map(({ text }) => text).join(''), forms: [form], splits: false }
  return [{ kind: 'words', words: [...['sudo', 'sh', '-c'].map(exactWord), code] }]
}

/** Of a text put together from more words than any honest one nothing is known. */
const TOKENS_MAX = 400

/** The text is read as the argument of a call, which then has its value. */
function textIn(tokens: readonly Token[]): Form {
  const given = tokens.length > TOKENS_MAX ? [] : tokens.filter(isOperand)
  const [call] = evaluateCode({
    tokens: [
      { kind: 'name', text: 'run' },
      { kind: 'mark', text: '(' },
      ...given,
      { kind: 'mark', text: ')' },
    ],
    grammar: GRAMMARS.applescript,
    variables: new Map(),
    known: knownValue,
  }).slice(-1)
  return formOf(call?.args[0] ?? unknown('…'))
}

/** Typed into whatever window is in front: a terminal, perhaps. */
function typed([first]: readonly Token[]): readonly CodeOutcome[] {
  const text = quoted(first)
  return text === undefined ? [] : [{ kind: 'code', forms: [textForm(text)], guessed: true }]
}

/** `quoted form of x` is x. */
function isOperand(token: Token): boolean {
  return !/^(quoted|form|of)$/.test(token.text)
}

function quoted(token: Token | undefined): string | undefined {
  if (token?.kind !== 'string') return undefined
  return token.parts.every((part) => typeof part === 'string') ? token.parts.join('') : undefined
}

/** `delete folder "x" of home`, `move POSIX file "/x" to trash`: Finder puts them where `trash` does. */
function thrownAway(
  verb: string,
  statement: readonly Token[],
  tokens: readonly Token[],
): readonly CodeOutcome[] {
  const words = statement.map(({ text }) => text)
  const [only] = statement
  const named = statement.length === 1 && only?.kind === 'name' ? setTo(only.text, tokens) : undefined
  const deletes = verb === 'delete' && !words.includes('login')
  if (!deletes && !(verb === 'move' && words.includes('trash'))) return []
  return [{ kind: 'words', words: [exactWord('trash'), fileIn(named ?? statement)] }]
}

/** `set x to folder "a" of home` */
function setTo(name: string, tokens: readonly Token[]): readonly Token[] | undefined {
  const at = tokens.findIndex(
    ({ text }, index) =>
      text === name && tokens[index - 1]?.text === 'set' && tokens[index + 1]?.text === 'to',
  )
  return at < 0 ? undefined : statementFrom(tokens, at + 1)
}

/** Folders that AppleScript names, by the words that name them. */
const NAMED_FOLDERS: readonly (readonly [words: RegExp, path: string])[] = [
  [/\bdesktop\b/, '~/Desktop'],
  [/\bdocuments folder\b/, '~/Documents'],
  [/\bdownloads folder\b/, '~/Downloads'],
  [/\blibrary folder\b/, '~/Library'],
  [/\bpictures folder\b/, '~/Pictures'],
  [/\bmovies folder\b/, '~/Movies'],
  [/\bmusic folder\b/, '~/Music'],
  [/\bapplications folder\b/, '/Applications'],
  [/\bhome\b/, '~'],
  [/\bstartup disk\b/, '/'],
]

/** The file that the statement names, from the inside out: `file "a" of folder "b" of home` is ~/b/a. */
function fileIn(statement: readonly Token[]): Word {
  const end = statement.findIndex(({ text }) => text === 'to')
  const named = end < 0 ? statement : statement.slice(0, end)
  const line = named.map(({ kind, text }) => (kind === 'name' ? text.toLowerCase() : ',')).join(' ')
  const names = named.flatMap((token) => (token.kind === 'string' ? [quoted(token)] : []))
  const base = NAMED_FOLDERS.find(([words]) => words.test(line))?.[1]
  const [only = ''] = names
  // `alias "Macintosh HD:Users:dev:x"`
  const whole = /^[/~]/.test(only)
    ? only
    : /^[^:/]+:/.test(only)
      ? only.replace(/^[^:]*/, '').replaceAll(':', '/')
      : undefined
  const path =
    whole ??
    (base === undefined || names.includes(undefined) ? undefined : [base, ...names.reverse()].join('/'))
  if (path === undefined) return unknownWord('a file that Finder is told to delete')
  const all: Form = /\b(?:every|items|contents|folders|files)\b/.test(line)
    ? [{ kind: 'glob', text: '*' }]
    : []
  const form = concatForms(textForm(path), all.length === 0 ? [] : [...textForm('/'), ...all])
  return { source: form.map(({ text }) => text).join(''), forms: [form], splits: false }
}
