import { expect, test } from 'vitest'
import { readTree } from './tree.ts'

test('every file that names acts is part of the union of act ids', () => {
  const folder = 'src/shell/programs/'
  const files = readTree(['src/shell'], (path) => /\.ts$/.test(path) && !/\.(?:test|cases)\.ts$/.test(path))
  const naming = [...files]
    .filter(([path, text]) => /\bact\(\s*'/.test(text) && path !== 'src/shell/vocabulary/effect.ts')
    .map(([path]) => path)
  const listed = [...(files.get(`${folder}act-ids.ts`) ?? '').matchAll(/import\('\.\/([^']+)'\)/g)].map(
    ([, path = '']) => folder + path,
  )
  expect(naming.length).toBeGreaterThan(10)
  expect(listed.sort()).toEqual(naming.sort())
})
