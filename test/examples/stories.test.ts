import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLES, pageOf, playAlone, playInTurn, programOf, shownOn } from './play.ts'

/**
 * Every example for Node, played with the built package: it prints what its README shows. One is played as the page says, the
 * others in one process. In test/long: `team-policies`, which starts Holdpoint three times, and Python's one.
 */
const ALONE = 'library'
const STARTS_HOLDPOINT = 'team-policies'

const names = readdirSync(EXAMPLES).filter((name) => programOf(name) !== undefined)
const inTurn = names.filter((name) => name !== ALONE && name !== STARTS_HOLDPOINT)

let printed: Readonly<Record<string, string>>
beforeAll(() => {
  printed = playInTurn(inTurn.flatMap((name) => programOf(name) ?? []))
})

describe('K-41: the examples', () => {
  it.each(inTurn)('%s prints what its page shows', (name) => {
    expect(printed[programOf(name) ?? '']).toBe(shownOn(name))
  })

  it(`${ALONE} prints what its page shows, in a process of its own`, () => {
    expect(playAlone(programOf(ALONE) ?? '')).toBe(shownOn(ALONE))
  })

  it('are all run by a test', () => {
    const inPython = readdirSync(EXAMPLES).filter((name) =>
      pageOf(name).includes(`python3 examples/${name}/`),
    )
    expect([...names, ...inPython].sort()).toEqual(readdirSync(EXAMPLES).sort())
    expect(inTurn.length).toBeGreaterThan(6)
  })
})
