import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { compile } from './compile.ts'

/** Every `ts` block of the documentation compiles under `strict`, against the types of the built package. */
const root = join(import.meta.dirname, '..', '..')
const PAGES = [
  'README.md',
  ...['docs/guide', 'docs/reference'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
]
const BLOCKS = PAGES.flatMap((page) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, text = ''], index) => ({
      name: `${basename(page, '.md')}-${index + 1}.mts`,
      text,
    }),
  ),
)

it('the documentation has `ts` blocks to compile', () => expect(BLOCKS.length).toBeGreaterThan(8))

it('every `ts` block of the documentation compiles', () => {
  expect(compile(Object.fromEntries(BLOCKS.map(({ name, text }) => [name, text])))).toBe('')
})
