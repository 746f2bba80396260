import type { Json } from '../../../core/json.ts'
import type { ExtendEntry, Layer } from '../../../core/layer.ts'
import { keyPath, locate, type Path } from '../locate.ts'
import type { YamlReader } from './reading.ts'
import { configSchema } from './schema.ts'

/** The `extends` of a file. Whether they exist is found out when they are read. */
export function readExtends(value: Json, reading: YamlReader): Pick<Layer, 'extends'> {
  const { problems } = reading
  if (value === null) return {}
  if (!Array.isArray(value)) {
    problems.addWrongValue(['extends'], 'a list of files and packages, each with `- ` before it')
    return {}
  }
  const entries = value.flatMap((item: Json, index): readonly ExtendEntry[] => {
    const path: Path = ['extends', index]
    const parsed = configSchema.shape.extends.safeParse([item])
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }))
      problems.addIssues(issues, path)
      return []
    }
    const origin = { file: reading.file.path, ...locate(reading.yaml, path), key: keyPath(path) }
    return [{ name: String(item), origin }]
  })
  return entries.length === 0 ? {} : { extends: entries }
}
