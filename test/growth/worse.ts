import type { Dimension, Subject } from './dimension.ts'

/** Subjects that break the law that they claim, each in a way that the counters must see. */

const worse = (id: string, law: Dimension['law'], run: (size: number) => unknown): Dimension => ({
  id,
  does: 'break its law',
  unit: 'items',
  law,
  counts: 'steps',
  sizes: [10, 100, 1_000],
  prepare: (size): Subject => ({ run: () => run(size) }),
})

const upTo = (size: number) => Array.from({ length: size }, (_, i) => i)

export const DIMENSIONS: readonly Dimension[] = [
  worse('flat-loop', 'flat', (size) => {
    let sum = 0
    for (const each of upTo(size)) sum += each
    return sum
  }),
  worse('flat-search', 'flat', (size) => upTo(size).includes(-1)),
  worse('logarithmic-loop', 'logarithmic', (size) => upTo(size).filter((each) => each > 3)),
  worse('linear-pairs', 'linear', (size) =>
    upTo(size).map((each) => upTo(size).map((other) => each * other)),
  ),
  worse('linear-search', 'linear', (size) => upTo(size).filter((each) => upTo(size).includes(each + size))),
  worse('linear-spread', 'linear', (size) =>
    // biome-ignore lint/performance/noAccumulatingSpread: this is what must be seen
    upTo(size).reduce<readonly number[]>((all, each) => [...all, each], []),
  ),
  worse('linear-text', 'linear', (size) =>
    upTo(size).map((each) => 'a'.repeat(size).replace('b', `${each}`)),
  ),
  worse('linear-regex', 'linear', (size) => upTo(size).map(() => /b/.test('a'.repeat(size)))),
  worse('linear-sort', 'linear', (size) =>
    upTo(size)
      .map((each) => (each * 7919) % size)
      .sort((a, b) => a - b),
  ),
  worse('quadratic-triples', 'quadratic', (size) => {
    const few = upTo(size / 10)
    let sum = 0
    for (const a of few) for (const b of few) for (const c of few) sum += a * b * c
    return sum
  }),
  // Reads the whole of a file of this size.
  {
    ...worse('logarithmic-file', 'logarithmic', () => undefined),
    counts: 'bytes',
    sizes: [1_000, 10_000, 100_000],
    async prepare(size, folder) {
      const { readFileSync, writeFileSync } = await import('node:fs')
      writeFileSync(`${folder}/file`, 'x'.repeat(size))
      return { run: () => readFileSync(`${folder}/file`) }
    },
  },
]
