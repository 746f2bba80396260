import { evaluateCode } from './evaluate.ts'
import { GRAMMARS } from './grammars.ts'
import { knownValue } from './known.ts'
import { LEXICONS } from './lexicons.ts'
import type { CodeOutcome } from './outcome.ts'
import { type Token, tokenize } from './tokens.ts'
import { formOf, unknown } from './values.ts'

/** `quoted form of x` is x. */
function isOperand(token: Token): boolean {
  return !/^(quoted|form|of)$/.test(token.text)
}

/** `do shell script "code" & x` and Terminal's `do script "code"`. */
export function readAppleScript(code: string): {
  readonly outcomes: readonly CodeOutcome[]
  readonly broken: boolean
} {
  const { tokens, broken } = tokenize(code, LEXICONS.applescript)
  const outcomes: CodeOutcome[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.text !== 'script' || !/^(shell|do)$/.test(tokens[at - 1]?.text ?? '')) continue
    const end = tokens.findIndex(
      (each, index) => index > at && (each.kind === 'line' || /^(with|in|without|as)$/.test(each.text)),
    )
    const given = tokens.slice(at + 1, end < 0 ? undefined : end).filter(isOperand)
    // The text is read as the argument of a call, which then has its value.
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
    outcomes.push({ kind: 'code', forms: [formOf(call?.args[0] ?? unknown('…'))] })
  }
  return { outcomes, broken }
}
