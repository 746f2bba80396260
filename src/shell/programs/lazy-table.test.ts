import { expect, it } from 'vitest'
import { lazyTable } from './lazy-table.ts'
import type { Program, ProgramTable } from './program.ts'

const one: Program = { isShell: true }
const two: Program = { fetches: true }

function table() {
  const runs: string[] = []
  const file = (name: string, programs: ProgramTable) => () => {
    runs.push(name)
    return programs
  }
  const first = file('first', { 'a b': one, d: two })
  return {
    runs,
    programs: lazyTable([
      [' a b ', first],
      [' c ', file('second', { c: two })],
      [' d ', first],
    ]),
  }
}

it('has every name in its order, and runs no file for that', () => {
  const { runs, programs } = table()
  expect([...programs.keys()]).toEqual(['a', 'b', 'c', 'd'])
  expect(runs).toEqual([])
})

it('runs the file of a name once, when the name is first asked for', () => {
  const { runs, programs } = table()
  expect(['b', 'a', 'd', 'b'].map((name) => programs.get(name))).toEqual([one, one, two, one])
  expect(runs).toEqual(['first'])
})

it.each(['', 'x', 'constructor', '__proto__'])('has no program %j', (name) => {
  const { runs, programs } = table()
  expect(programs.get(name)).toBeUndefined()
  expect(runs).toEqual([])
})

it('tries again if a file could not be run', () => {
  let isBroken = true
  const programs = lazyTable([
    [
      ' a ',
      () => {
        if (isBroken) throw new Error('no memory')
        return { a: one }
      },
    ],
  ])
  expect(() => programs.get('a')).toThrow('no memory')
  isBroken = false
  expect(programs.get('a')).toBe(one)
})
