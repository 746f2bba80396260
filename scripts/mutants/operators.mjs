// What `npm run mutants` can change in a source. A function from text to text, tested in test/gates.
import { parseAst } from 'vitest/node'

/**
 * One small mistake that somebody could make: the characters from `start` to `end` become `text`.
 * @typedef {object} Mutant
 * @property {string} operator
 * @property {number} start
 * @property {number} end
 * @property {string} text
 * @property {number} line
 */

/** @typedef {{ readonly type: string, readonly start: number, readonly end: number, readonly [key: string]: unknown }} Node */
/** @typedef {{ readonly source: string, readonly add: (operator: string, at: { readonly start: number, readonly end: number }, text: string) => void }} Found */

const OTHER_OPERATOR = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['+=', '-='],
  ['-=', '+='],
])
const OTHER_METHOD = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['find', 'findLast'],
  ['findLast', 'find'],
])
/** Methods whose result is like what they are called on. */
const DROPPED_METHODS = new Set([
  ...['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim', 'toLowerCase', 'toUpperCase'],
])
/** A larger number is a limit or a time that no cheap test can reach by one. */
const SMALL_NUMBER_MAX = 1000
/** A longer list is a table of names: each name needs no test of its own. */
const ELEMENTS_MAX = 3
/** What types and values both contain; the rest of `TS…` exists only for the type checker. */
const TRANSPARENT = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

/**
 * All mutants of a source, in the order of the text.
 *
 * @example
 * mutantsOf('if (a < b) stop()').map(({ operator }) => operator)
 * // ['condition forced true', 'condition forced false', 'condition negated', 'boundary moved', 'statement removed']
 * @param {string} source
 * @returns {readonly Mutant[]}
 */
export function mutantsOf(source) {
  /** @type {Map<string, Mutant>} */
  const mutants = new Map()
  /** @type {Found} */
  const found = {
    source,
    add: (operator, { start, end }, text) => {
      const line = source.slice(0, start).split('\n').length
      const key = `${start} ${end} ${text}`
      if (!mutants.has(key)) mutants.set(key, { operator, start, end, text, line })
    },
  }
  walk(/** @type {Node} */ (/** @type {unknown} */ (parseAst(source, { lang: 'ts', astType: 'ts' }))), found)
  return [...mutants.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/**
 * @param {string} source
 * @param {Mutant} mutant
 */
export function mutated(source, { start, end, text }) {
  return `${source.slice(0, start)}${text}${source.slice(end)}`
}

/**
 * @param {unknown} value
 * @returns {value is Node}
 */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/**
 * @param {Node} node
 * @param {Found} found
 * @param {Node} [parent]
 */
function walk(node, found, parent) {
  if (node.type.startsWith('TS') && !TRANSPARENT.has(node.type)) return
  OPERATORS[node.type]?.(node, found, parent)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'typeAnnotation') continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, found, node)
  }
}

/** @type {Readonly<Record<string, (node: Node, found: Found, parent?: Node) => void>>} */
const OPERATORS = {
  IfStatement: (node, found) => {
    const { consequent, alternate } = node
    const leaves = isNode(consequent) && alternate === null && isExit(consequent)
    branch(node, found, leaves ? 'early return removed' : 'condition forced false')
    if (isNode(consequent)) laterReturn(consequent, found)
  },
  ConditionalExpression: (node, found) => branch(node, found, 'condition forced false'),
  WhileStatement: (node, found) => never(node, found),
  DoWhileStatement: (node, found) => never(node, found),
  ForStatement: (node, found) => never(node, found),
  LogicalExpression: logical,
  BinaryExpression: (node, found) => binary(node, found),
  AssignmentExpression: (node, found) => binary(node, found),
  UnaryExpression: (node, found, parent) => {
    const { operator, argument } = node
    if (operator === '!' && isNode(argument) && parent?.test !== node)
      found.add('negation dropped', node, textOf(argument, found))
  },
  UpdateExpression: (node, found, parent) => {
    const text = textOf(node, found)
    const other = text.includes('++') ? text.replace('++', '--') : text.replace('--', '++')
    if (parent?.type !== 'ForStatement') found.add('arithmetic changed', node, other)
  },
  Literal: (node, found, parent) => literal(node, found, parent),
  CallExpression: (node, found) => call(node, found),
  MemberExpression: (node, found) => optional(node, found, node.object, node.property),
  ExpressionStatement: (node, found) => {
    const { expression, directive } = node
    if (typeof directive !== 'string' && isNode(expression)) found.add('statement removed', node, '{}')
  },
  ArrayExpression: (node, found) => {
    const elements = Array.isArray(node.elements) ? node.elements.filter(isNode) : []
    if (elements.length < 2 || elements.length > ELEMENTS_MAX) return
    for (const each of elements) {
      const rest = elements.filter((other) => other !== each).map((other) => textOf(other, found))
      found.add('element dropped', node, `[${rest.join(', ')}]`)
    }
  },
}

/**
 * @param {Node} node
 * @param {Found} found
 */
function textOf({ start, end }, { source }) {
  return source.slice(start, end)
}

/**
 * @param {Node} node
 * @param {Found} found
 * @param {string} forcedFalse
 */
function branch({ test }, found, forcedFalse) {
  if (!isNode(test)) return
  found.add('condition negated', test, `!(${textOf(test, found)})`)
  found.add('condition forced true', test, 'true')
  found.add(forcedFalse, test, 'false')
}

/**
 * A loop that runs for ever says nothing about a test.
 * @param {Node} node
 * @param {Found} found
 */
function never({ test }, found) {
  if (isNode(test)) found.add('condition forced false', test, 'false')
}

/** @param {Node} node */
function isExit({ type, body }) {
  const [only, ...rest] = type === 'BlockStatement' && Array.isArray(body) ? body.filter(isNode) : []
  const inner = only !== undefined && rest.length === 0 ? only.type : type
  return ['ReturnStatement', 'ContinueStatement', 'BreakStatement', 'ThrowStatement'].includes(inner)
}

/**
 * A return after other statements: without it, what follows runs too.
 * @param {Node} block
 * @param {Found} found
 */
function laterReturn({ type, body }, found) {
  if (type !== 'BlockStatement' || !Array.isArray(body) || body.length < 2) return
  const last = body.at(-1)
  if (isNode(last) && isExit(last)) found.add('early return removed', last, '{}')
}

/**
 * @param {Node} node
 * @param {Found} found
 * @param {Node} [parent]
 */
function logical(node, found, parent) {
  const { left, right, operator } = node
  if (!isNode(left) || !isNode(right)) return
  // A statement that starts with a parenthesis would be read as a call of what is before it.
  const wrapped = (/** @type {string} */ text) =>
    parent?.type === 'ExpressionStatement' ? `void 0, ${text}` : `(${text})`
  const [a, b] = [textOf(left, found), textOf(right, found)]
  if (operator === '??') found.add('default dropped', node, wrapped(a))
  else {
    found.add('and/or swapped', node, wrapped(`(${a}) ${operator === '&&' ? '||' : '&&'} (${b})`))
    found.add('condition dropped', node, wrapped(a))
    found.add('condition dropped', node, wrapped(b))
  }
}

/**
 * @param {Node} node
 * @param {Found} found
 */
function binary({ left, right, operator }, found) {
  const other = OTHER_OPERATOR.get(String(operator))
  if (!isNode(left) || !isNode(right) || other === undefined) return
  if (String(operator).startsWith('+') && (isText(left) || isText(right))) return
  const at = found.source.indexOf(String(operator), left.end)
  const names = /[<>]/.test(other) ? 'boundary moved' : /==/.test(other) ? 'equality' : 'arithmetic'
  const range = { start: at, end: at + String(operator).length }
  found.add(names === 'boundary moved' ? names : `${names} changed`, range, other)
}

/**
 * @param {Node} node
 * @returns {boolean}
 */
function isText({ type, value, left, right }) {
  if (type === 'BinaryExpression') return [left, right].some((side) => isNode(side) && isText(side))
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
}

/**
 * @param {Node} node
 * @param {Found} found
 * @param {Node} [parent]
 */
function literal(node, found, parent) {
  const { value } = node
  if (parent?.key === node) return
  if (typeof value === 'boolean') found.add('literal changed', node, String(!value))
  if (typeof value === 'number')
    found.add('literal changed', node, value <= SMALL_NUMBER_MAX ? String(value + 1) : '0')
}

/**
 * @param {Node} node
 * @param {Found} found
 */
function call(node, found) {
  const { callee } = node
  if (!isNode(callee)) return
  if (node.optional === true) {
    const at = found.source.indexOf('?.', callee.end)
    found.add('optional chaining dropped', { start: at, end: at + 2 }, '')
  }
  const { property } = callee
  if (callee.type !== 'MemberExpression' || callee.computed === true || !isNode(property)) return
  const name = textOf(property, found)
  const other = OTHER_METHOD.get(name)
  if (other !== undefined) found.add('method changed', property, other)
  if (!DROPPED_METHODS.has(name)) return
  const receiver = found.source.slice(node.start, property.start).replace(/\s*\??\.\s*$/, '')
  found.add('call dropped', node, receiver)
}

/**
 * @param {Node} node
 * @param {Found} found
 * @param {unknown} object
 * @param {unknown} property
 */
function optional(node, found, object, property) {
  if (node.optional !== true || !isNode(object) || !isNode(property)) return
  const at = found.source.indexOf('?.', object.end)
  found.add('optional chaining dropped', { start: at, end: at + 2 }, node.computed === true ? '' : '.')
}
