import { expect, it } from 'vitest'
import { collectWhenQuiet } from './idle-collection.ts'

function watched() {
  const lines: string[] = []
  let collected = 0
  const look = collectWhenQuiet(
    (line) => lines.push(line),
    async () => {
      collected += 1
      if (collected === 3) throw new Error('no debugger')
    },
  )
  return { look, lines, collected: () => collected }
}

it('collects once after the last event, when none has come for half a minute', () => {
  const { look, collected } = watched()
  look({ usedMs: 1_000, idleMs: 29_000, open: 0 })
  expect(collected()).toBe(0)
  for (const idleMs of [30_000, 30_500, 60_000]) look({ usedMs: 1_000, idleMs, open: 0 })
  expect(collected()).toBe(1)
  look({ usedMs: 70_000, idleMs: 100, open: 0 })
  look({ usedMs: 70_000, idleMs: 40_000, open: 0 })
  expect(collected()).toBe(2)
})

it('waits while a request is open', () => {
  const { look, collected } = watched()
  look({ usedMs: 1_000, idleMs: 100_000, open: 1 })
  expect(collected()).toBe(0)
})

it('says in the log if it could not', async () => {
  const { look, lines } = watched()
  for (const usedMs of [1, 2, 3]) look({ usedMs, idleMs: 50_000, open: 0 })
  await new Promise(setImmediate)
  expect(lines).toEqual(['nothing was collected: Error: no debugger'])
})

it('frees memory of this process', async () => {
  const lines: string[] = []
  const freed: string[] = []
  const registry = new FinalizationRegistry((name: string) => freed.push(name))
  registry.register({ left: 'behind' }, 'object')
  collectWhenQuiet((line) => lines.push(line))({ usedMs: 1, idleMs: 50_000, open: 0 })
  await expect.poll(() => freed, { timeout: 20_000 }).toEqual(['object'])
  expect(lines).toEqual([])
})
