import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SOURCES } from './index.ts'

test('the table lists all source folders', () => {
  const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  expect(Object.keys(SOURCES).toSorted()).toEqual(
    folders
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted(),
  )
})

test.each(Object.entries(SOURCES))('%s is loaded by its id', async (id, load) => {
  expect((await load()).source.id).toBe(id)
})
