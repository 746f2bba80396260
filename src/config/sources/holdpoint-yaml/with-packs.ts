import { isMap, isScalar, parseDocument } from 'yaml'
import { bad, good, type Result } from '../../../core/errors.ts'
import type { PackChanges } from '../source.ts'

/**
 * The text of a configuration with these changes of its packs. Comments and everything else are kept. A pack that is
 * already on, with any options, is not changed.
 */
export function withPacks(text: string | undefined, changes: PackChanges): Result<string> {
  const { on = [], add = [], off = [], options = {} } = changes
  const document = parseDocument(text === undefined || text.trim() === '' ? 'version: 1\n' : text)
  const [error] = document.errors
  if (error !== undefined) return bad('CONFIG_NOT_YAML', error.message.split('\n')[0] ?? 'This is not YAML.')
  const named = document.get('packs')
  if (named !== undefined && named !== null && !isMap(named)) {
    return bad('CONFIG_VALUE', '`packs` is not a mapping.', { key: 'packs' })
  }
  let isChanged = false
  const set = (path: readonly string[], value: unknown) => {
    if (document.getIn(path) === value) return
    document.setIn(path, value)
    isChanged = true
  }
  for (const pack of add) if (!document.hasIn(['packs', pack])) set(['packs', pack], true)
  for (const pack of on) {
    const before = document.getIn(['packs', pack])
    if (before === undefined || before === null || before === false) set(['packs', pack], true)
  }
  for (const pack of off) set(['packs', pack], false)
  for (const [pack, values] of Object.entries(options)) {
    const before = document.getIn(['packs', pack])
    if (before === false) continue
    if (!isMap(before)) {
      const options = document.createNode({}, { flow: true })
      const scalar = document.getIn(['packs', pack], true)
      if (isScalar(scalar) && scalar.comment) options.comment = scalar.comment
      document.setIn(['packs', pack], options)
    }
    for (const [key, value] of Object.entries(values)) set(['packs', pack, key], value)
  }
  return good(isChanged || text === undefined ? document.toString() : text)
}
