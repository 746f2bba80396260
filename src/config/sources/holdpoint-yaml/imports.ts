import type { Json } from '../../../core/json.ts'
import type { ImportEntry, Layer } from '../../../core/layer.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import type { YamlReader } from './reading.ts'
import { importSchema } from './schema.ts'

/** The `imports` of a file. The caller, which has the table of formats, checks whether the format exists. */
export function readImports(value: Json, reading: YamlReader): Pick<Layer, 'imports'> {
  const { problems } = reading
  if (value === null) return {}
  if (!Array.isArray(value)) {
    problems.addWrongValue(['imports'], 'a list, each entry with `- ` before it')
    return {}
  }
  const imports = value.flatMap((item: Json, index): readonly ImportEntry[] => {
    const path: Path = ['imports', index]
    const parsed = importSchema.safeParse(item)
    if (!parsed.success) {
      problems.addIssues(parsed.error.issues, path)
      return []
    }
    const entry = typeof parsed.data === 'string' ? { source: parsed.data } : parsed.data
    const { source, file, closed } = entry
    const origin = { file: reading.file.path, ...locate(reading.yaml, path), key: keyPath(path) }
    const chosen = { ...(file === undefined ? {} : { file }), ...(closed === true ? { closed } : {}) }
    return [{ source, ...chosen, origin }]
  })
  return imports.length === 0 ? {} : { imports }
}
