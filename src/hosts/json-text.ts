import { type Edit, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { bad, good, type Result } from '../core/errors.ts'
import type { Json } from '../core/json.ts'

/**
 * Changes a JSON text and leaves every other byte as it is: comments, trailing commas, indentation, escapes, line
 * ends, the order of keys. Pure; it does not know the meaning of any key. The parser's own `modify` is not used, because
 * it edits the first of two equal keys, while every reader takes the last, and it drops comments near removed values.
 */
export interface JsonText {
  readonly text: string
  /** Undefined: nothing but space and comments. */
  readonly root: Node | undefined
  readonly newline: string
  /** One level of indentation; undefined when the whole value stands on one line. */
  readonly indent: string | undefined
}

/** Comments and trailing commas are read; anything else that is not JSON is a problem with its place. */
export function readJsonText(text: string): Result<JsonText> {
  if (latest?.text !== text) latest = { text, read: parsedText(text) }
  return latest.read
}

/** One file is asked about many things, each with its text. */
let latest: { readonly text: string; readonly read: Result<JsonText> } | undefined

function parsedText(text: string): Result<JsonText> {
  const parsed = parse(text, { allowTrailingComma: true, allowEmptyContent: true })
  if (!parsed.ok) return parsed
  const { root, errors } = parsed.value
  const [error] = errors
  if (error !== undefined) {
    return bad('CONFIG_VALUE', `This is not JSON: ${errorText(error)}.`, {
      ...placeOf(text, error.offset),
      fix: 'Correct the file at this line, or move it away; nothing was changed.',
    })
  }
  const newline = /\r?\n/.exec(text)?.[0] ?? '\n'
  return good({ text, root, newline, indent: indentOf(text, root) })
}

/** Where a reader without comments and trailing commas would stop, undefined when it reads all. */
export function notStrict(text: string): StrictFault | undefined {
  if (latestStrict?.text !== text) latestStrict = { text, fault: strictFault(text) }
  return latestStrict.fault
}

interface StrictFault {
  readonly line: number
  readonly why: string
}

let latestStrict: { readonly text: string; readonly fault: StrictFault | undefined } | undefined

function strictFault(text: string): StrictFault | undefined {
  const parsed = parse(text, { disallowComments: true })
  if (!parsed.ok) return { line: 1, why: parsed.problem.message }
  const [error] = parsed.value.errors
  return error === undefined
    ? undefined
    : { line: placeOf(text, error.offset).line, why: errorText(error, true) }
}

/** The value of a key; of two equal keys the last, as every reader of JSON has it. */
export function valueAt(object: Node | undefined, key: string): Node | undefined {
  return valuesAt(object, key).at(-1)
}

export function valuesAt(object: Node | undefined, key: string): readonly Node[] {
  return propertiesOf(object).flatMap((property) => {
    const value = property.children?.[1]
    return propertyName(property) === key && value !== undefined ? [value] : []
  })
}

/** Every key of an object with its last value, and whether an equal key stands above it. */
export function lastValues(
  object: Node,
): ReadonlyMap<string, { readonly value: Node | undefined; readonly isRepeated: boolean }> {
  const last = new Map<string, { value: Node | undefined; isRepeated: boolean }>()
  for (const property of propertiesOf(object)) {
    last.set(propertyName(property), {
      value: property.children?.[1],
      isRepeated: last.has(propertyName(property)),
    })
  }
  return last
}

export function propertyName(property: Node): string {
  return String(property.children?.[0]?.value)
}

export function propertiesOf(object: Node | undefined): readonly Node[] {
  return object?.type === 'object' ? (object.children ?? []) : []
}

export function itemsOf(list: Node | undefined): readonly Node[] {
  return list?.type === 'array' ? (list.children ?? []) : []
}

/** The edits may come in any order and must not overlap. (The parser's `applyEdits` copies the text for each one.) */
export function changed({ text }: JsonText, edits: readonly Edit[]): string {
  let end = 0
  const parts = edits
    .toSorted((a, b) => a.offset - b.offset)
    .flatMap(({ offset, length, content }) => {
      const kept = text.slice(end, offset)
      end = offset + length
      return [kept, content]
    })
  return [...parts, text.slice(end)].join('')
}

/** New values at the end of a list, or new properties at the end of an object (then each value has a key). */
export function added(
  document: JsonText,
  container: Node,
  values: readonly { readonly key?: string; readonly value: Json }[],
): readonly Edit[] {
  if (values.length === 0) return []
  const last = container.children?.at(-1)
  const close = endOf(container) - 1
  const gap = readGap(document.text, last === undefined ? container.offset + 1 : endOf(last), close)
  const onOneLine = last === undefined ? document.indent === undefined : !startsLine(document, last)
  const indent =
    onOneLine && !gap.endsInLineComment
      ? undefined
      : last === undefined || onOneLine
        ? lineIndent(document, container.offset) + (document.indent ?? '  ')
        : lineIndent(document, last.offset)
  const before = indent === undefined ? '' : document.newline + indent
  const texts = values.map(({ key, value }) => {
    const name = key === undefined ? '' : `${JSON.stringify(key)}:${indent === undefined ? '' : ' '}`
    return before + name + rendered(document, value, indent)
  })
  const text = texts.join(',')
  if (last === undefined) {
    const space = document.text.slice(gap.end, close)
    const isClosedOnItsLine = indent === undefined || space.includes('\n')
    const tail = isClosedOnItsLine ? space : document.newline + lineIndent(document, container.offset)
    return [{ offset: gap.end, length: close - gap.end, content: text + tail }]
  }
  if (gap.comma !== undefined) return [{ offset: gap.end, length: 0, content: `${text},` }]
  if (gap.end === endOf(last)) return [{ offset: gap.end, length: 0, content: `,${text}` }]
  return [
    { offset: endOf(last), length: 0, content: ',' },
    { offset: gap.end, length: 0, content: text },
  ]
}

/** Takes children out of a container, each with one comma and the space before it. Comments around them stay. */
export function withoutProperty(
  document: JsonText,
  container: Node,
  doomed: (child: Node) => boolean,
): readonly Edit[] {
  const { text } = document
  const children = container.children ?? []
  if (!children.some(doomed)) return []
  const gaps = gapsOf(document, container)
  const open = container.offset + 1
  const close = endOf(container) - 1
  if (children.every(doomed) && gaps.every((gap) => !gap.hasComments)) {
    return [{ offset: open, length: close - open, content: '' }]
  }
  const edits = runsOf(children, gaps, doomed).flatMap(([first, last]): Edit[] => {
    const [before, comma] = [gaps[first], gaps[last + 1]?.comma]
    const [offset, end] = [children[first]?.offset ?? open, endOf(children[last] ?? container)]
    const isCommaNext = comma !== undefined && text.slice(end, comma).trim() === ''
    const stop = isCommaNext ? comma + 1 : end
    // The text after it must not become part of a line comment.
    const keepsBreak = before?.endsInLineComment === true && !/^[ \t]*\r?\n/.test(text.slice(stop, close))
    const start = keepsBreak ? offset : (before?.end ?? offset)
    const own = { offset: start, length: stop - start, content: '' }
    return comma === undefined || isCommaNext ? [own] : [own, { offset: comma, length: 1, content: '' }]
  })
  const lastKept = children.findLastIndex((child) => !doomed(child))
  const lastComma = gaps[lastKept + 1]?.comma
  const isLastGone = lastKept >= 0 && lastKept < children.length - 1
  if (isLastGone && gaps.at(-1)?.comma === undefined && lastComma !== undefined) {
    edits.push({ offset: lastComma, length: 1, content: '' })
  }
  return edits
}

/** First and last of the doomed that stand together, with no comment between them. */
function runsOf(
  children: readonly Node[],
  gaps: readonly Gap[],
  doomed: (child: Node) => boolean,
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = []
  for (const [index, child] of children.entries()) {
    const run = runs.at(-1)
    if (!doomed(child)) continue
    if (run?.[1] === index - 1 && gaps[index]?.hasComments === false) run[1] = index
    else runs.push([index, index])
  }
  return runs
}

export function withValue(document: JsonText, node: Node, value: Json): readonly Edit[] {
  const isOnOneLine = !document.text.slice(node.offset, endOf(node)).includes('\n')
  const indent = isOnOneLine ? undefined : lineIndent(document, node.offset)
  return [{ offset: node.offset, length: node.length, content: rendered(document, value, indent) }]
}

/** Comments directly inside a container, not in what it contains. */
export function hasComments(document: JsonText, container: Node): boolean {
  return gapsOf(document, container).some((gap) => gap.hasComments)
}

/** The text with this value where there was none, comments kept. */
export function firstValue(document: JsonText, value: Json): string {
  const { text, newline } = document
  const isCommentOpen = readGap(text, 0, text.length).hasComments && !text.endsWith('\n')
  return text + (isCommentOpen ? newline : '') + rendered(document, value, '') + newline
}

export const BYTE_ORDER_MARK = '\uFEFF'

function endOf(node: Node): number {
  return node.offset + node.length
}

function parse(
  text: string,
  options: Parameters<typeof parseTree>[2],
): Result<{ root: Node | undefined; errors: readonly ParseError[] }> {
  const errors: ParseError[] = []
  try {
    // A space keeps every offset as it is.
    const readable = text.startsWith(BYTE_ORDER_MARK) ? ` ${text.slice(1)}` : text
    return good({ root: parseTree(readable, errors, options), errors })
  } catch (error) {
    // The parser is recursive; a very deep file causes a RangeError.
    if (!(error instanceof RangeError)) throw error
    return bad('CONFIG_VALUE', 'This is nested too deeply to be read.', {
      fix: 'Move the file away; nothing was changed.',
    })
  }
}

function errorText({ error }: ParseError, strict = false): string {
  const name = printParseErrorCode(error)
  if (name === 'InvalidCommentToken') return 'a comment'
  if (strict && (name === 'PropertyNameExpected' || name === 'ValueExpected')) return 'a trailing comma'
  return name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

function indentOf(text: string, root: Node | undefined): string | undefined {
  const first = root?.children?.[0]
  if (root === undefined || first === undefined) return '  '
  const own = /\n([ \t]*)$/.exec(text.slice(root.offset, first.offset))?.[1]
  if (own !== undefined) return own === '' ? '  ' : own
  return text.slice(root.offset, endOf(root)).includes('\n') ? '  ' : undefined
}

function startsLine(document: JsonText, node: Node): boolean {
  const indent = lineIndent(document, node.offset)
  const start = node.offset - indent.length
  return start === 0 || document.text[start - 1] === '\n'
}

/** The space at the start of the line this offset is on. */
function lineIndent({ text }: JsonText, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function rendered({ newline, indent: unit }: JsonText, value: Json, indent: string | undefined): string {
  return indent === undefined
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit ?? '  ').replaceAll('\n', newline + indent)
}

/** Between two values there is only space, comments and at most one comma. */
interface Gap {
  readonly comma: number | undefined
  /** The end of the last thing that is not space, or where the gap begins. */
  readonly end: number
  readonly hasComments: boolean
  readonly endsInLineComment: boolean
}

/** Before the first child, after each child. */
function gapsOf(document: JsonText, container: Node): readonly Gap[] {
  const children = container.children ?? []
  const close = endOf(container) - 1
  return [container.offset + 1, ...children.map(endOf)].map((from, index) =>
    readGap(document.text, from, children[index]?.offset ?? close),
  )
}

function readGap(text: string, from: number, to: number): Gap {
  let comma: number | undefined
  let [end, hasComments, endsInLineComment] = [from, false, false]
  for (const { 0: token, index } of text.slice(from, to).matchAll(/,|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)) {
    if (token === ',') comma = from + index
    else hasComments = true
    endsInLineComment = token.startsWith('//')
    end = from + index + token.length
  }
  return { comma, end, hasComments, endsInLineComment }
}
