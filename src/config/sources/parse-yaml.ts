import { Composer, type CST, Lexer, LineCounter, type Node, type ParsedNode, Parser } from 'yaml'
import { bad, good, type Result } from '../../core/errors.ts'
import type { SourceLocation } from './locate.ts'
import { SOURCE_MAX_BYTES } from './source.ts'

/**
 * Text to YAML nodes. The library is recursive, and a deep file can overflow the stack and even end the whole process.
 * So the text is parsed in pieces and rejected at the first problem.
 */
export interface YamlDocument {
  /** Undefined for a file without content. */
  readonly root: Node | undefined
  placeOf(offset: number): SourceLocation
}

export function parseYaml(text: string): Result<YamlDocument> {
  if (text.length > SOURCE_MAX_BYTES || new TextEncoder().encode(text).length > SOURCE_MAX_BYTES) {
    return bad('CONFIG_TOO_LARGE', `The file is larger than ${SOURCE_MAX_BYTES} bytes.`)
  }
  const control = CONTROL.exec(text)
  if (control !== null) return refuseControl(text, control)
  const lines = new LineCounter()
  const tokens = readTokens(text, lines)
  return tokens.ok ? compose(tokens.value, text, lines) : tokens
}

/** Levels of nesting. Our format needs seven; a pack's own options may need some more. */
export const DEPTH_MAX = 32
/** A hook is about thirty lexical pieces, and there may be ten thousand. Each may become an error object, and those are what takes time. */
const LEXEMES_MAX = 400_000
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/

function refuseControl(text: string, control: RegExpExecArray): Result<never> {
  const before = text.slice(0, control.index).split('\n')
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return bad('CONFIG_NOT_YAML', `The file contains the control character U+${code}.`, {
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  })
}

function readTokens(text: string, lines: LineCounter): Result<readonly CST.Token[]> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  let documents = 0
  let lexemes = 0
  const take = (produced: Iterable<CST.Token>): Result<true> => {
    for (const token of produced) {
      if (token.type === 'error') return refuse(token.message, token.offset, lines)
      if (token.type === 'document') documents += 1
      if (documents > 1 && token.type === 'document') {
        return refuse('The file contains more than one document', token.offset, lines)
      }
      tokens.push(token)
    }
    return good(true)
  }
  for (const lexeme of new Lexer().lex(text)) {
    const taken = take(parser.next(lexeme))
    if (!taken.ok) return taken
    lexemes += 1
    if (parser.stack.length > DEPTH_MAX) {
      return refuse(`The file nests deeper than ${DEPTH_MAX} levels`, parser.offset, lines)
    }
    if (lexemes > LEXEMES_MAX) {
      return bad(
        'CONFIG_TOO_LARGE',
        `The file has more than ${LEXEMES_MAX} parts.`,
        placeAt(parser.offset, lines),
      )
    }
  }
  const taken = take(parser.end())
  return taken.ok ? good(tokens) : taken
}

function compose(tokens: readonly CST.Token[], text: string, lines: LineCounter): Result<YamlDocument> {
  // Duplicate keys are found by our own code, because the library compares every key with every other.
  const composer = new Composer<ParsedNode>({
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const [document] = composer.compose(tokens, true, text.length)
  // A warning is a tag or directive that the library ignored, so the file would not do what its author intended.
  const fault = document?.errors[0] ?? document?.warnings[0]
  if (fault !== undefined) return refuse(fault.message, fault.pos[0], lines)
  return good({ root: document?.contents ?? undefined, placeOf: (offset) => placeAt(offset, lines) })
}

function refuse(message: string, offset: number, lines: LineCounter): Result<never> {
  return bad('CONFIG_NOT_YAML', `${inOurWords(message).replace(/[.:]$/, '')}.`, placeAt(offset, lines))
}

function inOurWords(message: string): string {
  if (message.startsWith('Alias ')) return 'A `*` here is a YAML alias; put a pattern in quotes: "*"'
  const tag = /^Unresolved tag: (.*)$/s.exec(message)?.[1]
  if (tag !== undefined) return `The tag \`${tag.slice(0, 60)}\` is not supported`
  return message.length > 200 ? `${message.slice(0, 200)}...` : message
}

function placeAt(offset: number, lines: LineCounter): SourceLocation {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}
