// Renews what is made from the code: the guards' pages and the JSON Schema. A gate fails when they are out of date.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { generatedFiles } = await import(join(root, 'dist', 'src', 'generated.js'))

rmSync(join(root, 'docs', 'guards'), { recursive: true, force: true })
for (const [path, text] of await generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
