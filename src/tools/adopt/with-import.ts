import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { bad, good, type Result } from '../../core/errors.ts'

/** The format of the adopted hooks. */
const SOURCE = 'claude-settings'

/** The text of a configuration that imports this file. Comments and everything else stay. Pure. */
export function withImport(text: string | undefined, file: string): Result<string> {
  if (text === undefined || text.trim() === '') {
    return good(`version: 1\nimports:\n  - { source: ${SOURCE}, file: ${file} }\n`)
  }
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) return bad('CONFIG_NOT_YAML', error.message.split('\n')[0] ?? 'This is not YAML.')
  const imports = document.get('imports')
  if (imports !== undefined && imports !== null && !isSeq(imports)) {
    return bad('CONFIG_VALUE', '`imports` is not a list.', { key: 'imports' })
  }
  if (isSeq(imports) && imports.items.some((item) => names(item, file))) return good(text)
  const entry = document.createNode({ source: SOURCE, file }, { flow: true })
  if (isSeq(imports)) imports.add(entry)
  else document.set('imports', document.createNode([entry]))
  return good(document.toString())
}

/** The same text without that import; undefined if there was nothing else. */
export function withoutImport(text: string, file: string): Result<string | undefined> {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) return bad('CONFIG_NOT_YAML', error.message.split('\n')[0] ?? 'This is not YAML.')
  const imports = document.get('imports')
  if (!isSeq(imports)) return good(text)
  const kept = imports.items.filter((item) => !names(item, file))
  if (kept.length === imports.items.length) return good(text)
  imports.items = kept
  if (kept.length === 0) document.delete('imports')
  const isEmpty =
    isMap(document.contents) &&
    document.contents.items.every(({ key }) => isScalar(key) && key.value === 'version')
  return good(isEmpty && !text.includes('#') ? undefined : document.toString())
}

function names(item: unknown, file: string): boolean {
  return isMap(item) && item.get('source') === SOURCE && item.get('file') === file
}
