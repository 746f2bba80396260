import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, it } from 'vitest'
import { checkLinks } from '../gates/links.ts'
import { freshPackage } from '../installed.ts'

it('every relative link of a packed page leads to a packed file and heading', () => {
  const root = freshPackage()
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => name.endsWith('.md'))
  for (const page of ['README.md', 'docs/README.md', 'docs/guards/README.md', 'examples/library/README.md']) {
    expect(pages).toContain(page)
  }
  const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), 'utf8')]))
  expect(checkLinks(texts, (path) => existsSync(join(root, path)))).toEqual([])
})
