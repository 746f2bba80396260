import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exampleText } from './guard-page.ts'
import { PACKS } from './index.ts'

const here = new URL('.', import.meta.url)
const packs = await Promise.all(Object.entries(PACKS).map(async ([id, load]) => ({ id, pack: await load() })))

describe('the table of packs', () => {
  it('lists every folder that contains a pack, and nothing else', () => {
    const folders = readdirSync(here, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/pack.ts`, here)))
      .map((entry) => entry.name)
    expect(folders.sort()).toEqual(Object.keys(PACKS).sort())
  })

  it('gives every guard a unique id', () => {
    const ids = packs.flatMap(({ pack }) => pack.guards.map((guard) => guard.id))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the pages of guards', () => {
  it.each(packs.flatMap(({ pack }) => pack.guards.map((guard) => [guard.id, guard] as const)))(
    'K-34: %s does not list the same example under both headings',
    (_id, { examples }) => {
      const stopped = new Set(examples.stops.map(exampleText))
      expect(examples.passes.map(exampleText).filter((text) => stopped.has(text))).toEqual([])
    },
  )
})

describe.each(packs)('pack $id', ({ id, pack }) => {
  it('has the name of its folder', () => {
    expect(pack.id).toBe(id)
    expect(pack.title).not.toBe('')
  })

  it.each(pack.guards.map((guard) => [guard.id, guard] as const))(
    'keeps %s in the file with that name',
    async (_id, guard) => {
      expect(guard.id.startsWith(`${id}/`)).toBe(true)
      const module: Record<string, unknown> = await import(new URL(`${guard.id}.ts`, here).href)
      expect(Object.values(module)).toContain(guard)
    },
  )
})
