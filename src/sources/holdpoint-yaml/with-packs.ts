import { isMap, parseDocument } from 'yaml'
import { bad, good, type Result } from '../../errors.ts'

/**
 * The text of a configuration with these packs on. Comments and everything else stay; a pack that is named already,
 * with whatever options, is left as it is.
 */
export function withPacks(text: string | undefined, packs: readonly string[]): Result<string> {
  if (text === undefined || text.trim() === '') {
    return good(`version: 1\npacks:\n${packs.map((pack) => `  ${pack}: true\n`).join('')}`)
  }
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) return bad('CONFIG_NOT_YAML', error.message.split('\n')[0] ?? 'This is not YAML.')
  const named = document.get('packs')
  if (named !== undefined && named !== null && !isMap(named)) {
    return bad('CONFIG_VALUE', '`packs` is not a mapping.', { key: 'packs' })
  }
  const missing = packs.filter((pack) => !document.hasIn(['packs', pack]))
  if (missing.length === 0) return good(text)
  for (const pack of missing) document.setIn(['packs', pack], true)
  return good(document.toString())
}
