import type { Origin } from '../../../core/hook.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { PackEntry } from '../../../core/layer.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import { didYouMean } from '../problems.ts'
import { readMapping, type YamlReader } from './reading.ts'
import { PACK_KEYS, packIdSchema, packOptionsSchema, packSchema } from './schema.ts'

/** The `packs` of a file. The plan checks whether a pack or guard with that name exists. */
export function readPacks(value: Json, reading: YamlReader): readonly PackEntry[] {
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
    if (!parsed.success) problems.addIssues(parsed.error.issues, path)
    // A misspelled option does not disable the pack: only the wrong part gets its default.
    const given = isObject(options) ? options : {}
    const wrong = packOptionsSchema.safeParse(given).error?.issues ?? []
    const { from, ...kept } = without(
      given,
      wrong.map((issue) => issue.path),
    )
    warnOfTypos(kept, path, reading)
    const originOf = (at: Path) => ({ file: file.path, ...locate(yaml, at, 'key'), key: keyPath(at) })
    const isElsewhere = given.from !== undefined
    return [
      {
        pack,
        options: kept,
        ...(isElsewhere ? { from: { module: typeof from === 'string' ? from : '', root: file.root } } : {}),
        ...originsOf(kept, (key) => originOf([...path, key])),
        origin: originOf(path),
        ...(options === false ? { off: true } : {}),
      },
    ]
  })
}

/** Only the pack itself knows its options, so their places are kept until it was asked. */
function originsOf(options: JsonObject, originOf: (key: string) => Origin): Pick<PackEntry, 'optionOrigins'> {
  const own = Object.keys(options).filter((key) => !PACK_KEYS.includes(key))
  return own.length === 0 ? {} : { optionOrigins: Object.fromEntries(own.map((key) => [key, originOf(key)])) }
}

/** The options without the values at these paths. */
function without(options: JsonObject, wrong: readonly (readonly PropertyKey[])[]): JsonObject {
  const below = (key: string) => wrong.filter((path) => path[0] === key).map((path) => path.slice(1))
  const entries = Object.entries(options).flatMap(([key, value]): readonly [string, Json][] => {
    const paths = below(key)
    if (paths.length === 0) return [[key, value]]
    return isObject(value) && paths.every((path) => path.length > 0) ? [[key, without(value, paths)]] : []
  })
  return Object.fromEntries(entries)
}

/** A pack checks its own options, but `levle: strict` is probably a typo. */
function warnOfTypos(options: JsonObject, path: Path, { problems }: YamlReader): void {
  for (const key of Object.keys(options)) {
    const meant = PACK_KEYS.includes(key) ? '' : didYouMean(key, PACK_KEYS)
    if (meant === '') continue
    const message = `\`${key}\` is passed to the pack unchanged.${meant}`
    problems.add('CONFIG_KEY', [...path, key], message, { part: 'key', severity: 'warning' })
  }
}
