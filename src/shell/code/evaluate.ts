import { concatForms, exactForm, type Form } from '../words/words.ts'
import type { Grammar } from './grammars.ts'
import { CALLS_MAX, CLOSES, type CodeProgram, ENDS, isMark, type Machine, peek } from './machine.ts'
import { called, memberOf, operand } from './operands.ts'
import type { Token } from './tokens.ts'
import {
  type CodeCall,
  type CodeValue,
  codeText,
  concat,
  elementOf,
  formOf,
  joinPath,
  NO_NAMES,
  unknown,
} from './values.ts'

/**
 * Follows a program from its first token to its last and says which calls it may make, in order. Branches, loops and
 * functions are not run: whatever stands anywhere in the text counts as called once, with the variables as they were
 * last set above it.
 */
export function evaluateCode(program: CodeProgram): readonly CodeCall[] {
  const machine: Machine = { ...program, calls: [], at: 0, operandStart: 0, depth: 0, expression }
  while (machine.at < machine.tokens.length && machine.calls.length < CALLS_MAX) {
    const before = machine.at
    expression(machine)
    if (machine.at === before) machine.at += 1
  }
  return machine.calls
}

const DEPTH_MAX = 60

/** Stops at what ends an expression: a comma, a closing bracket, a new statement. */
function expression(machine: Machine): CodeValue {
  machine.depth += 1
  if (machine.depth > DEPTH_MAX) {
    machine.at = machine.tokens.length
    machine.depth -= 1
    return unknown('…')
  }
  const { grammar } = machine
  const first = machine.at
  let value = operand(machine)
  const start = machine.operandStart
  for (;;) {
    const token = peek(machine)
    if (token === undefined || (token.kind === 'mark' && endsAt(token.text, grammar))) break
    if (token.kind === 'line') {
      if (grammar.lines) break
      machine.at += 1
    } else if (isBeside(token, value, grammar)) value = concat(value, operand(machine))
    else if (token.kind === 'mark') value = operation(token.text, value, start, machine)
    else if (
      token.kind === 'name' &&
      (token.text === 'in' || token.text === 'of') &&
      isLoop(start, machine)
    ) {
      machine.at += 1
      const each = elementOf(expression(machine))
      const names = loopNames(start, machine)
      for (const [at, name] of names.entries()) {
        const part = each.kind === 'list' && names.length > 1 ? each.items[at] : undefined
        const last = at === names.length - 1 ? each : unknown(name)
        machine.variables.set(name, part ?? last)
      }
    } else if (
      token.kind === 'name' &&
      token.text === 'as' &&
      machine.tokens[first - 2]?.text === 'foreach'
    ) {
      setItem(elementOf(value), machine)
    } else if (token.kind === 'name' && token.text === 'as' && opensWith(first, machine)) {
      const name = peek(machine, 1)
      if (name?.kind === 'name') machine.variables.set(name.text, value)
      machine.at += 2
    } else break
  }
  machine.depth -= 1
  return value
}

/** `with open(x) as f, open(y) as g:` */
function opensWith(first: number, { tokens }: Machine): boolean {
  for (let at = first - 1; at >= Math.max(0, first - STATEMENT_MAX); at -= 1) {
    const token = tokens[at]
    if (token?.kind === 'name' && token.text === 'with') return true
    if (token === undefined || token.kind === 'line' || token.text === ';' || token.text === ':') return false
  }
  return false
}

const STATEMENT_MAX = 60

/** `foreach (list as $x)`, `foreach (list as $key => $x)`: the last name before the bracket is the item. */
function setItem(item: CodeValue, machine: Machine): void {
  for (let token = peek(machine); token !== undefined && !isMark(token, ')'); token = peek(machine)) {
    if (token.kind === 'name' && token.text !== 'as') machine.variables.set(token.text, item)
    machine.at += 1
  }
}

/** `for x in …`, `for (const x of …)`, `for a, b in …` */
function isLoop(start: number, machine: Machine): boolean {
  return machine.tokens
    .slice(Math.max(0, start - 2 - 2 * (loopNames(start, machine).length - 1) - 1), start)
    .some((token) => token.text === 'for' || token.text === 'foreach')
}

const LOOP_NAMES_MAX = 4

/** The names before `in`, of which the one at `start` is the last. */
function loopNames(start: number, { tokens }: Machine): readonly string[] {
  const names: string[] = []
  for (let at = start; names.length < LOOP_NAMES_MAX && tokens[at]?.kind === 'name'; at -= 2) {
    names.unshift(tokens[at]?.text ?? '')
    if (tokens[at - 1]?.text !== ',') break
  }
  return names
}

/** `"a" "b"` is one text in Python, `"rm " $1` in awk. */
function isBeside(token: Token, value: CodeValue, grammar: Grammar): boolean {
  if (!grammar.adjacent || value.kind === 'list') return false
  if (grammar.pipes)
    return (
      token.kind === 'string' ||
      token.kind === 'number' ||
      (token.kind === 'name' && !grammar.keywords.has(token.text) && token.text !== 'getline')
    )
  return token.kind === 'string' && value.kind === 'text'
}

/** A bracket that is no suffix opens a block; in Python a colon does. */
function endsAt(mark: string, grammar: Grammar): boolean {
  return ENDS.has(mark) || CLOSES[mark] !== undefined || (mark === ':' && grammar.colonEnds)
}

function operation(mark: string, left: CodeValue, start: number, machine: Machine): CodeValue {
  const { grammar } = machine
  const isName = machine.at === start + 1
  machine.at += 1
  if (grammar.assign.has(mark)) {
    const right = expression(machine)
    const name = machine.tokens[start]
    if (isName && name?.kind === 'name')
      machine.variables.set(name.text, /^[+.]=/.test(mark) ? concat(left, right) : right)
    else if (left.kind === 'list') bindParts(left, right, machine)
    return right
  }
  if (grammar.pipes && (mark === '|' || mark === '|&')) return piped(left, machine)
  if (grammar.pipes && mark === '<' && readsLine(start, machine)) {
    return called({ name: '<', args: [operand(machine)], named: NO_NAMES, receiver: undefined }, machine)
  }
  const right = operand(machine)
  if (grammar.concat.has(mark)) return concat(left, right)
  if (mark === '/' && (left.kind === 'text' || right.kind === 'text')) return joinPath([left, right])
  if (mark === '%' && left.kind === 'text') return formatted(left, right)
  if (mark === '||' || mark === '??') return left.kind === 'unknown' || left.kind === 'thing' ? right : left
  return unknown(mark)
}

/** awk: `print x | "code"`, `"code" | getline`. */
function piped(left: CodeValue, machine: Machine): CodeValue {
  const reads = peek(machine)?.text === 'getline'
  const code = reads ? left : expression(machine)
  return called({ name: '|', args: [code], named: NO_NAMES, receiver: undefined }, machine)
}

/** awk: `getline < "file"`, `getline x < "file"`. */
function readsLine(start: number, { tokens }: Machine): boolean {
  return tokens[start]?.text === 'getline' || tokens[start - 1]?.text === 'getline'
}

/** `const {execSync} = require('child_process')`; `a, b = 1, 2` is left alone. */
function bindParts(left: CodeValue & { kind: 'list' }, right: CodeValue, machine: Machine): void {
  if (right.kind !== 'thing') return
  for (const item of left.items) {
    if (item.kind === 'thing') machine.variables.set(item.name, memberOf(right, item.name, machine))
  }
  for (const [key, item] of left.named) {
    if (item.kind === 'thing') machine.variables.set(item.name, memberOf(right, key, machine))
  }
}

/** `'rm %s' % x` */
function formatted(left: CodeValue & { kind: 'text' }, right: CodeValue): CodeValue {
  const values = right.kind === 'list' ? [...right.items] : [right]
  const parts = (exactForm(left.form) ?? '').split(/(%[sdr])/)
  const forms = parts.map(
    (part): Form =>
      /^%[sdr]$/.test(part) ? formOf(values.shift() ?? unknown(part)) : formOf(codeText(part)),
  )
  return { kind: 'text', form: concatForms(...forms) }
}
