import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/core/version.ts'
import { generatedFiles } from '../../src/tools/generated.ts'

const root = join(import.meta.dirname, '..', '..')
const files = await generatedFiles()

test.each([...files.keys()])('%s is what `npm run generate` makes', (path) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(files.get(path))
})

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(VERSION)
})
