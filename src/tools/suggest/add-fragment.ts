import { type Document, isMap, isSeq, parseDocument } from 'yaml'
import { bad, good, type Result } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'

/**
 * What a file must get so that the fragment has its effect. A file that names packs switches on exactly those, so the two
 * defaults are named too where it named none.
 */
export function completeFragment(text: string | undefined, fragment: JsonObject): JsonObject {
  if (!isObject(fragment.packs)) return fragment
  const document = parseDocument(text ?? '')
  if (document.errors.length === 0 && document.has('packs')) return fragment
  return { ...fragment, packs: { safety: true, secrets: true, ...fragment.packs } }
}

/** The text of a configuration file with the fragment added. Comments and order stay. */
export function addFragment(text: string | undefined, fragment: JsonObject): Result<string> {
  const isEmpty = text === undefined || text.trim() === ''
  const document = parseDocument(isEmpty ? 'version: 1\n' : text)
  if (document.errors.length > 0 || !isMap(document.contents)) {
    return bad('CONFIG_NOT_YAML', 'The file is not valid YAML, so nothing was added to it.')
  }
  add(document, [], completeFragment(text, fragment))
  return good(document.toString({ lineWidth: 0 }))
}

function add(document: Document, path: readonly string[], value: Json): void {
  if (isObject(value)) {
    // `safety: true` becomes a mapping with options.
    if (path.length > 0 && !isMap(document.getIn(path, true))) document.setIn(path, document.createNode({}))
    for (const [key, inner] of Object.entries(value)) add(document, [...path, key], inner)
    return
  }
  if (Array.isArray(value) && isSeq(document.getIn(path, true))) {
    for (const item of value) document.addIn(path, document.createNode(item))
    return
  }
  document.setIn(path, document.createNode(value))
}
