import type { Certainty } from '../../arguments/verbs.ts'
import { type SqlToken, sqlWord } from './sql-tokens.ts'

/** Does the statement delete or update every row? Also inside `WITH … AS ( … )`. */
export function changesAll(tokens: readonly SqlToken[]): Certainty {
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const opens = at === 0 || before?.text === '(' || before?.text === ')' || sqlWord(before) === 'ANALYZE'
    const verb = sqlWord(token)
    if (!opens || (verb !== 'DELETE' && verb !== 'UPDATE')) continue
    const part = uptoClosing(tokens.slice(at))
    if (verb === 'UPDATE' && !part.some((each) => sqlWord(each) === 'SET' || each.kind === 'hole')) continue
    const where = part.findIndex((each) => sqlWord(each) === 'WHERE')
    if (where < 0) return part.some((each) => each.kind === 'hole') ? 'maybe' : 'yes'
    if (isAlwaysTrue(part.slice(where + 1))) return 'yes'
  }
  return 'no'
}

function uptoClosing(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'mark') continue
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    if (depth < 0) return tokens.slice(0, at)
  }
  return tokens
}

/** `1`, `TRUE`, `1=1`, `'a'='a'`, also as one side of an `OR`. */
function isAlwaysTrue(condition: readonly SqlToken[]): boolean {
  const end = condition.findIndex((token) => /^(LIMIT|RETURNING|ORDER)$/.test(sqlWord(token)))
  const tokens = (end < 0 ? condition : condition.slice(0, end)).filter(({ text }) => !/^[()]$/.test(text))
  let side: SqlToken[] = []
  for (const token of [...tokens, OR]) {
    if (sqlWord(token) !== 'OR') side.push(token)
    else if (isConstant(side)) return true
    else side = []
  }
  return false
}

const OR: SqlToken = { kind: 'word', text: 'OR' }

function isConstant(tokens: readonly SqlToken[]): boolean {
  const words = tokens.map(sqlWord).join(' ').trim()
  if (words === 'TRUE' || words === 'NOT FALSE') return true
  return (
    tokens.length > 0 &&
    tokens.every(({ kind }) => kind === 'text' || kind === 'mark') &&
    tokens[0]?.text !== '0'
  )
}
