import type { ActEffect } from '../../vocabulary/effect.ts'
import { type Form, textWithHoles } from '../../words/words.ts'
import { ALTER, DESTROY_DATABASE, GRANT, RUN_PROGRAM, uncertain } from './acts.ts'
import { changesAll } from './changes.ts'
import { readSql, type SqlToken, sqlWord } from './sql-tokens.ts'

/** What SQL text would do, in the worst of the forms it may have. */
export function sqlEffects(forms: readonly Form[]): readonly ActEffect[] {
  const found = new Map<string, ActEffect>()
  for (const effect of forms.flatMap((form) => textEffects(textWithHoles(form), 0))) {
    const known = found.get(effect.act)
    if (known === undefined || known.unsure !== undefined) found.set(effect.act, effect)
  }
  return [...found.values()]
}

const UNCERTAIN = uncertain(DESTROY_DATABASE, 'a part of the statement is known only at run time')
const DEPTH_MAX = 3

function textEffects(text: string, depth: number): readonly ActEffect[] {
  const statements = readSql(text)
  const temporary = temporaryTables(statements)
  const effects: { readonly effect: ActEffect; readonly at: number }[] = []
  let undone: { readonly from: number; readonly to: number } | undefined
  let begun = -1
  let inBody = false
  for (const [at, tokens] of statements.entries()) {
    const [first, second] = tokens.map(sqlWord)
    if (inBody) {
      inBody = first !== 'END'
      continue
    }
    if (first === 'CREATE' && opensBody(tokens.map(sqlWord))) inBody = true
    if (first === 'BEGIN' || (first === 'START' && second === 'TRANSACTION')) begun = at
    if (first === 'ROLLBACK' && begun >= 0 && second !== 'TO') undone = { from: begun, to: at }
    if (first === 'COMMIT' || first === 'END') begun = -1
    for (const effect of statementEffects(tokens, temporary, depth)) effects.push({ effect, at })
  }
  return effects
    .filter(({ at }) => undone === undefined || at < undone.from || at > undone.to)
    .map(({ effect }) => effect)
}

/** What follows is not run now: the body of a trigger or procedure, up to its `END`. */
function opensBody(words: readonly string[]): boolean {
  return (
    words.includes('BEGIN') &&
    words.slice(1, 6).some((word) => /^(TRIGGER|PROCEDURE|FUNCTION|EVENT)$/.test(word))
  )
}

function statementEffects(
  tokens: readonly SqlToken[],
  temporary: ReadonlySet<string>,
  depth: number,
): readonly ActEffect[] {
  const [head] = tokens
  if (head === undefined) return []
  if (head.kind === 'client') return RUNS_SHELL.test(head.text) ? [RUN_PROGRAM] : []
  if (head.kind === 'hole') return [UNCERTAIN]
  const words = tokens.map(sqlWord)
  const [verb = '', second = '', third = ''] = words
  switch (verb) {
    case 'DROP':
      return drops(tokens, temporary)
    case 'TRUNCATE':
      return [DESTROY_DATABASE]
    case 'ALTER':
      return alters(words)
    case 'GRANT':
      return words.includes('ALL') || words.includes('SUPER') ? [GRANT] : []
    case 'CREATE':
      return words.includes('SUPERUSER') ? [GRANT] : []
    case 'COPY':
      return words.includes('PROGRAM') ? [RUN_PROGRAM] : []
    case 'PURGE':
    case 'SHUTDOWN':
      return [ALTER]
    case 'RESET':
      return second === 'MASTER' ? [ALTER] : []
    case 'EXPLAIN':
      return words.slice(0, 8).includes('ANALYZE') ? changesOf(tokens) : []
    case 'IF':
    case 'ELSE':
    case 'WHILE':
    case 'BEGIN':
      return statementEffects(fromVerb(tokens), temporary, depth)
    case 'SYSTEM':
      return SERVER_COMMANDS.test(second) ? [] : [RUN_PROGRAM]
    case 'DO':
    case 'EXEC':
    case 'EXECUTE':
    case 'CALL':
      return executed(tokens, depth)
    case 'PREPARE':
      return third === 'AS' ? statementEffects(tokens.slice(3), temporary, depth) : executed(tokens, depth)
    default:
      return words.includes('XP_CMDSHELL') ? [RUN_PROGRAM] : changesOf(tokens)
  }
}

/** What a condition leads to: `IF OBJECT_ID('x') IS NOT NULL DROP TABLE x`. */
function fromVerb(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const at = tokens.findIndex((token) => /^(DROP|TRUNCATE|DELETE|UPDATE)$/.test(sqlWord(token)))
  return at < 1 ? [] : tokens.slice(at)
}

/** `SYSTEM …` of a server; of a client it runs a program. */
const SERVER_COMMANDS = /^(FLUSH|RELOAD|STOP|START|SYNC|DROP|RESTART|RESTORE|WAIT|ENABLE|DISABLE|UNFREEZE)$/

/** psql's `\! …`, mysql's `\! …` and `system …`, sqlite's `.shell …`; `\copy … program`. */
const RUNS_SHELL = /^(\\!|\.(shell|system)\b)|^\\copy\b.*\bprogram\b|^\\o\s*\|/i

const TABLES =
  /^(TABLE|TABLES|DATABASE|SCHEMA|KEYSPACE|OWNED|MEASUREMENT|SERIES|BUCKET|TABLESPACE|DICTIONARY|STREAM|WAREHOUSE|CATALOG|COLLECTION)$/

function drops(tokens: readonly SqlToken[], temporary: ReadonlySet<string>): readonly ActEffect[] {
  const [, kind, ...rest] = tokens
  if (kind?.kind === 'hole') return [UNCERTAIN]
  const word = kind === undefined ? '' : sqlWord(kind)
  if (word === 'TEMPORARY' || word === 'TEMP' || word === '') return []
  if (!TABLES.test(word)) return word === 'PREPARE' ? [] : [ALTER]
  const named = rest.filter((token) => !/^(IF|EXISTS|CASCADE|RESTRICT)$/.test(sqlWord(token)))
  return named.length > 0 && isTemporary(named, temporary) ? [] : [DESTROY_DATABASE]
}

/** `temp.x`, `#x`, or a table made by this text; the first of several names stands for all. */
function isTemporary(named: readonly SqlToken[], temporary: ReadonlySet<string>): boolean {
  const [first, dot] = named
  const name = first?.text.toUpperCase() ?? ''
  if (dot?.text === '.') return name === 'TEMP' || name === 'PG_TEMP'
  return dot === undefined && (name.startsWith('#') || temporary.has(name))
}

/** The tables this very text makes for itself. */
function temporaryTables(statements: readonly (readonly SqlToken[])[]): ReadonlySet<string> {
  const names = statements.flatMap((tokens) => {
    const words = tokens.map(sqlWord)
    const at = words.indexOf('TABLE')
    if (words[0] !== 'CREATE' || !/^TEMP(ORARY)?$/.test(words[at - 1] ?? '')) return []
    const name = tokens.slice(at + 1).find((token) => !/^(IF|NOT|EXISTS)$/.test(sqlWord(token)))
    return name === undefined ? [] : [name.text.toUpperCase()]
  })
  return new Set(names)
}

/** Only the loss of what is stored counts: constraints, defaults and indexes are made again. */
function alters(words: readonly string[]): readonly ActEffect[] {
  if (words.includes('SUPERUSER')) return [GRANT]
  if (words[1] !== 'TABLE') return []
  const at = words.indexOf('DROP')
  const kind = words[at + 1] ?? ''
  if (at >= 0 && !/^(CONSTRAINT|INDEX|KEY|PRIMARY|FOREIGN|CHECK|DEFAULT|NOT|EXPRESSION|IDENTITY)$/.test(kind))
    return [ALTER]
  return words.includes('TRUNCATE') ? [ALTER] : []
}

/** `DELETE` and `UPDATE` of everything. */
function changesOf(tokens: readonly SqlToken[]): readonly ActEffect[] {
  const all = changesAll(tokens)
  if (all === 'no') return []
  return [all === 'yes' ? DESTROY_DATABASE : UNCERTAIN]
}

/** Code in a text: `DO $$ … $$`, `EXECUTE IMMEDIATE '…'`. */
function executed(tokens: readonly SqlToken[], depth: number): readonly ActEffect[] {
  if (tokens.some((token) => sqlWord(token) === 'XP_CMDSHELL')) return [RUN_PROGRAM]
  if (depth >= DEPTH_MAX) return []
  return tokens
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ text }) => {
      return textEffects(text.replace(/^\s*(declare\b[^;]*;\s*)*begin\b/i, ' '), depth + 1)
    })
}
