// Renews the generated files: the guards' pages, the JSON Schemas and the Claude Code plugin. A gate fails if
// they are out of date.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtModule } from './built-module.mjs'

const root = join(import.meta.dirname, '..')
const { generatedFiles } = await builtModule('src/tools/generated.ts')

for (const folder of ['docs/guards', 'plugin/skills'])
  rmSync(join(root, folder), { recursive: true, force: true })
for (const [path, text] of await generatedFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
