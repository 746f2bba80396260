import { concatForms, exactForm, type Form } from '../words/words.ts'
import type { Grammar } from './grammars.ts'
import { CALLS_MAX, CLOSES, ENDS, isMark, type Machine, peek } from './machine.ts'
import type { Token } from './tokens.ts'
import {
  type CodeCall,
  type CodeValue,
  codeText,
  elementOf,
  formOf,
  list,
  NO_NAMES,
  textOf,
  unknown,
} from './values.ts'

/** One operand with all that hangs on it: names, texts, brackets, parts, calls. */
export function operand(machine: Machine): CodeValue {
  const { grammar, at, tokens } = machine
  const value = primary(machine)
  const start = machine.operandStart
  const whole = suffixes(value, machine)
  if (grammar.topic !== undefined) bindTopic(whole, grammar.topic, tokens.slice(at, start), machine)
  return whole
}

/** `foreach my $f (list)`, `for (list)`, `… for list`. */
function bindTopic(value: CodeValue, topic: string, before: readonly Token[], machine: Machine): void {
  if (!before.some((token) => token.text === 'for' || token.text === 'foreach')) return
  const named = value.kind === 'thing' ? value.made : undefined
  if (named?.name.startsWith('$')) machine.variables.set(named.name, elementOf(list(named.args)))
  else if (value.kind === 'text' || value.kind === 'list') machine.variables.set(topic, elementOf(value))
}

function primary(machine: Machine): CodeValue {
  while (isSkipped(peek(machine), machine.grammar)) machine.at += 1
  const token = peek(machine)
  machine.operandStart = machine.at
  if (token === undefined) return unknown('')
  if (token.kind === 'mark') return bracket(token.text, machine)
  machine.at += 1
  if (token.kind === 'number') return codeText(token.text)
  if (token.kind === 'string') return stringValue(token, machine)
  if (token.kind === 'command') {
    return called(
      { name: '`', args: [stringValue(token, machine)], named: NO_NAMES, receiver: undefined },
      machine,
    )
  }
  return (
    machine.variables.get(token.text) ??
    machine.known(token.text, undefined) ?? { kind: 'thing', name: token.text }
  )
}

/** Words such as `await` and signs such as `!`: what they stand before counts. */
function isSkipped(token: Token | undefined, grammar: Grammar): boolean {
  if (token === undefined || token.kind === 'line') return token !== undefined
  if (token.kind === 'mark') {
    return (
      !ENDS.has(token.text) &&
      CLOSES[token.text] === undefined &&
      !(grammar.pipes && token.text.startsWith('|'))
    )
  }
  return token.kind === 'name' && grammar.keywords.has(token.text)
}

function bracket(mark: string, machine: Machine): CodeValue {
  const close = CLOSES[mark]
  if (close === undefined) return unknown(mark)
  machine.at += 1
  const { items, named } = itemsUntil(close, machine)
  const [only] = items
  return mark === '(' && items.length === 1 && only !== undefined && named.size === 0
    ? only
    : list(items, named)
}

interface Items {
  readonly items: readonly CodeValue[]
  readonly named: ReadonlyMap<string, CodeValue>
}

/** What stands up to the closing bracket: arguments, elements, entries, or the statements of a block. */
function itemsUntil(close: string, machine: Machine): Items {
  const items: CodeValue[] = []
  const named = new Map<string, CodeValue>()
  while (machine.at < machine.tokens.length && machine.calls.length < CALLS_MAX) {
    const token = peek(machine)
    if (isMark(token, close)) {
      machine.at += 1
      break
    }
    const key = keyAt(machine, close === ')')
    const before = machine.at
    if (key !== undefined) named.set(key, machine.expression(machine))
    else if (token?.kind === 'line' || isMark(token, ',') || isMark(token, ';')) machine.at += 1
    else items.push(machine.expression(machine))
    if (machine.at === before) machine.at += 1
  }
  return { items, named }
}

/** `recursive: true`, `shell=True`, `'cwd' => 'x'`. */
function keyAt(machine: Machine, equals: boolean): string | undefined {
  const key = peek(machine)
  const colon = peek(machine, 1)
  if (key === undefined || (key.kind !== 'name' && key.kind !== 'string') || colon?.kind !== 'mark')
    return undefined
  const isKey =
    colon.text === '=>' || colon.text === ':' || (equals && colon.text === '=' && key.kind === 'name')
  if (!isKey) return undefined
  machine.at += 2
  return key.text
}

function stringValue(token: Token & { kind: 'string' | 'command' }, machine: Machine): CodeValue {
  const forms = token.parts.map((part): Form => {
    if (typeof part === 'string') return formOf(codeText(part))
    const inner: Machine = { ...machine, tokens: part, at: 0, operandStart: 0 }
    return formOf(part.length === 0 ? unknown('…') : machine.expression(inner))
  })
  return { kind: 'text', form: concatForms(...forms) }
}

function suffixes(first: CodeValue, machine: Machine): CodeValue {
  let value = first
  for (;;) {
    const token = peek(machine)
    if (token === undefined) return value
    const next = peek(machine, 1)
    if (token.kind === 'mark' && machine.grammar.members.has(token.text) && next?.kind === 'name') {
      machine.at += 2
      value = memberOf(value, next.text, machine)
      if (value.kind === 'thing') bindParameter(value, machine)
    } else if (isMark(token, '(') && value.kind === 'thing') {
      machine.at += 1
      bindParameter(value, machine)
      value = callOf(value, itemsUntil(')', machine), machine)
    } else if (
      token.kind === 'mark' &&
      (token.text === '[' || token.text === '{') &&
      isIndexed(value, token.text, machine)
    ) {
      machine.at += 1
      const { items } = itemsUntil(token.text === '[' ? ']' : '}', machine)
      value = indexed(value, items[0], machine)
    } else if (token.kind === 'string' && value.kind === 'thing' && isTagged(value, machine)) {
      machine.at += 1
      value = callOf(value, { items: [stringValue(token, machine)], named: NO_NAMES }, machine)
    } else if (
      machine.grammar.bareCalls &&
      value.kind === 'thing' &&
      value.made === undefined &&
      opensArgument(token)
    ) {
      value = callOf(value, bareArguments(machine), machine)
    } else return value
  }
}

const GOES_OVER = /\.(each|forEach|map|each_with_index|filter|select)$/

/** `list.each { |x| … }`, `list.forEach(x => …)`: the parameter is what the list holds. */
function bindParameter(value: CodeValue & { kind: 'thing' }, machine: Machine): void {
  const receiver = value.made?.receiver
  if (receiver === undefined || !GOES_OVER.test(value.name)) return
  const [first, second, third] = [peek(machine), peek(machine, 1), peek(machine, 2)]
  const inBars = isMark(second, '|') && /^(\{|do)$/.test(first?.text ?? '') ? third : undefined
  const arrow = isMark(second, '=>') ? first : isMark(first, '(') && isMark(third, ')') ? second : undefined
  const name = inBars ?? arrow
  if (name?.kind === 'name') machine.variables.set(name.text, elementOf(receiver))
}

/** `$ENV{HOME}` is an entry; a brace after any other thing opens a block. */
function isIndexed(value: CodeValue, mark: string, machine: Machine): boolean {
  if (mark === '[') return value.kind === 'thing' || value.kind === 'list'
  return value.kind === 'thing' && /^[$%][^()]*$/.test(value.name) && machine.grammar.concat.has('.')
}

/** A template with a name before it is a call: $`rm -rf x`. */
function isTagged(value: CodeValue & { kind: 'thing' }, machine: Machine): boolean {
  return !machine.grammar.bareCalls && /(^|\.)(\$|sh|execa)$/.test(value.name)
}

function indexed(value: CodeValue, index: CodeValue | undefined, machine: Machine): CodeValue {
  const key = textOf(index) ?? (index?.kind === 'thing' ? index.name : undefined)
  if (value.kind === 'list')
    return (
      (key === undefined ? undefined : (value.items[Number(key)] ?? value.named.get(key))) ?? unknown('[…]')
    )
  if (key === undefined) return unknown('[…]')
  // Ruby: `Dir["*.c"]` lists files.
  const listed = value.kind === 'thing' && value.name === 'Dir' && index !== undefined
  return listed
    ? called({ name: 'Dir.glob', args: [index], named: NO_NAMES, receiver: undefined }, machine)
    : memberOf(value, key, machine)
}

export function memberOf(value: CodeValue, name: string, machine: Machine): CodeValue {
  const base =
    value.kind === 'thing' ? value.name : value.kind === 'text' ? "''" : value.kind === 'list' ? '[]' : '?'
  const full = `${base}.${name}`
  const receiver = value.kind === 'thing' && value.made === undefined ? undefined : value
  const known = receiver === undefined ? machine.known(full, undefined) : pathPart(value, name, machine)
  if (known !== undefined) return known
  // The call is not made yet: what it would be made on is kept for when it is.
  return {
    kind: 'thing',
    name: full,
    ...(receiver === undefined ? {} : { made: { name: '', args: [], named: NO_NAMES, receiver } }),
  }
}

/** `entry.path` and `path.parent` of something that is known as a text: no calls. */
function pathPart(value: CodeValue, name: string, machine: Machine): CodeValue | undefined {
  if (value.kind !== 'text' || isMark(peek(machine), '(')) return undefined
  if (name === 'path') return value
  const text = exactForm(value.form)
  if (name === 'parent' && text !== undefined) return codeText(text.replace(/\/+[^/]*\/*$/, '') || '/')
  return undefined
}

function callOf(value: CodeValue & { kind: 'thing' }, { items, named }: Items, machine: Machine): CodeValue {
  const receiver = value.made?.name === '' ? value.made.receiver : undefined
  return called({ name: value.name, args: items, named, receiver }, machine)
}

export function called(call: CodeCall, machine: Machine): CodeValue {
  machine.calls.push(call)
  return machine.known(call.name, call) ?? { kind: 'thing', name: `${call.name}()`, made: call }
}

function opensArgument(token: Token): boolean {
  if (token.kind === 'string' || token.kind === 'number') return true
  return (
    token.kind === 'name' &&
    /^[$@A-Z_a-z]/.test(token.text) &&
    !/^(if|unless|or|and|do|then|for|while|until|foreach|x|eq|ne|lt|gt|cmp|in|end|else)$/.test(token.text)
  )
}

function bareArguments(machine: Machine): Items {
  const items: CodeValue[] = []
  const named = new Map<string, CodeValue>()
  for (;;) {
    const key = keyAt(machine, false)
    if (key !== undefined) named.set(key, machine.expression(machine))
    else items.push(machine.expression(machine))
    if (!isMark(peek(machine), ',')) break
    machine.at += 1
    while (peek(machine)?.kind === 'line') machine.at += 1
  }
  return { items, named }
}
