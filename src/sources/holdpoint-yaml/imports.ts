import type { ImportEntry, Layer } from '../../config.ts'
import type { Json } from '../../json.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import type { Reading } from './reading.ts'
import { importSchema } from './schema.ts'

/** The `imports` of a file. Whether there is a format of that name is for whoever has the table to say. */
export function readImports(value: Json, reading: Reading): Pick<Layer, 'imports'> {
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
    const { source, file } = entry
    const origin = { file: reading.file.path, ...locate(reading.yaml, path), key: keyPath(path) }
    return [{ source, ...(file === undefined ? {} : { file }), origin }]
  })
  return imports.length === 0 ? {} : { imports }
}
