import type { Grammar } from './grammars.ts'
import type { Token } from './tokens.ts'
import type { CodeCall, CodeValue } from './values.ts'

/** A program and what is known of it so far. */
export interface CodeProgram {
  readonly tokens: readonly Token[]
  readonly grammar: Grammar
  readonly variables: Map<string, CodeValue>
  /** What a name or the result of a call is known to be; undefined to leave it as it is. */
  known(name: string, call: CodeCall | undefined): CodeValue | undefined
}

/** Where the reading of a program stands. */
export interface Machine extends CodeProgram {
  readonly calls: CodeCall[]
  at: number
  /** Where the operand that was read last begins. */
  operandStart: number
  depth: number
  /** Reads an expression: what stands in brackets may hold any. */
  expression(machine: Machine): CodeValue
}

export const CALLS_MAX = 400
export const ENDS: ReadonlySet<string> = new Set([',', ')', ']', '}', ';'])
export const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

export function peek(machine: Machine, ahead = 0): Token | undefined {
  return machine.tokens[machine.at + ahead]
}

export function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
}
