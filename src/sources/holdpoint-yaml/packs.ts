import type { PackEntry } from '../../config.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { keyPath, locate, type Path } from './locate.ts'
import { didYouMean } from './problems.ts'
import { type Reading, readMapping } from './reading.ts'
import { PACK_KEYS, packIdSchema, packSchema } from './schema.ts'

/** The `packs` of a file. Whether a pack or guard of that name exists is for the plan to say. */
export function readPacks(value: Json, reading: Reading): readonly PackEntry[] {
  const { problems, yaml, file } = reading
  const packs = readMapping(value, 'packs', 'a mapping of pack names to their options', reading)
  return Object.entries(packs).flatMap(([pack, options]): readonly PackEntry[] => {
    const path: Path = ['packs', pack]
    const name = packIdSchema.safeParse(pack)
    if (!name.success) {
      const accepted = name.error.issues[0]?.message
      problems.add('CONFIG_KEY', path, `\`${pack.slice(0, 60)}\` is not ${accepted}.`, { part: 'key' })
      return []
    }
    const parsed = packSchema.safeParse(options)
    if (!parsed.success) {
      problems.addIssues(parsed.error.issues, path)
      return []
    }
    if (options === false) return []
    const kept = isObject(options) ? options : {}
    warnOfTypos(kept, path, reading)
    return [
      { pack, options: kept, origin: { file: file.path, ...locate(yaml, path, 'key'), key: keyPath(path) } },
    ]
  })
}

/** A pack's own options are its own affair, but `levle: strict` was surely not meant as one. */
function warnOfTypos(options: JsonObject, path: Path, { problems }: Reading): void {
  for (const key of Object.keys(options)) {
    const meant = PACK_KEYS.includes(key) ? '' : didYouMean(key, PACK_KEYS)
    if (meant === '') continue
    const message = `\`${key}\` is passed on to the pack as it is.${meant}`
    problems.add('CONFIG_KEY', [...path, key], message, { part: 'key', severity: 'warning' })
  }
}
