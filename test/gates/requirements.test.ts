import { describe, expect, test } from 'vitest'
import { chapters } from '../hosts/scenarios.ts'
import { DOCUMENTS, REQUIREMENTS, type Requirement, type Status } from '../requirements.ts'
import { checkRequirements, type Evidence, mentionsIn, type Places, scenariosIn } from './requirements.ts'

test('the list has as many statements as the documents', () => {
  const lengths = Object.keys(DOCUMENTS).map((name) => [
    name,
    REQUIREMENTS.filter(({ id }) => id.startsWith(`R-${name}-`)).length,
  ])
  expect(Object.fromEntries(lengths)).toEqual(DOCUMENTS)
  expect(REQUIREMENTS.filter(({ id }) => id.startsWith('R-'))).toHaveLength(280)
})

test('no two requirements say the same', () => {
  const sayings = REQUIREMENTS.map(({ id, says }) => `${id.slice(0, 5)} ${says}`)
  expect(sayings.filter((text, index) => sayings.indexOf(text) !== index)).toEqual([])
})

/** Requirements of one document, numbered from 1. */
function listOf(...statuses: readonly Status[]): readonly Requirement[] {
  return statuses.map((status, index) => ({ id: `R-000-0${index + 1}`, says: `${index}`, status }))
}
const cited: Status = { cited: true }
const placesOf = (...ids: readonly string[]): Places => new Map(ids.map((id) => [id, ['src/a.test.ts']]))

describe('the check of requirements', () => {
  const SCENARIO = 'claude-code > Tools > a hook denies'
  const list = listOf(cited, { waits: 'mux' }, { informational: 'A note.' }, { scenario: SCENARIO })
  const named = (...ids: readonly string[]) => ({ citations: placesOf(...ids), mentions: placesOf(...ids) })
  const evidence = (more: Partial<Evidence> = {}): Evidence => ({
    ...named('R-000-01'),
    present: new Set(['safety']),
    scenarios: new Map([[SCENARIO, true]]),
    ...more,
  })

  test('accepts a correct list', () => {
    expect(checkRequirements(list, evidence())).toEqual([])
  })

  test.each<[string, readonly Requirement[], Partial<Evidence>, string]>([
    ['no test cites a cited id', list, named(), 'R-000-01 is marked cited, and no test that npm test runs'],
    [
      'a cited id is only mentioned',
      list,
      { citations: placesOf() },
      'in its name (src/a.test.ts only mentions it)',
    ],
    [
      'a test cites an id that waits',
      list,
      named('R-000-01', 'R-000-02'),
      'R-000-02 waits for mux, and src/a.test.ts cites it',
    ],
    [
      'a test cites an informational id',
      list,
      named('R-000-01', 'R-000-03'),
      'R-000-03 is informational, and src/a.test.ts cites it',
    ],
    ['a test cites an unknown id', list, named('R-000-01', 'R-000-09'), 'cites R-000-09, which is not in'],
    [
      'a comment names an unknown id',
      list,
      { mentions: placesOf('R-000-01', 'R-000-09') },
      'cites R-000-09, which is not in',
    ],
    ['an id waits for what is here', list, { present: new Set(['mux']) }, 'waits for mux, which is here'],
    ['no scenario has that name', list, { scenarios: new Map() }, 'test/hosts has no such scenario'],
    [
      'the program cannot play the scenario',
      list,
      { scenarios: new Map([[SCENARIO, false]]) },
      'which that program cannot play',
    ],
    ['an id is missing', list.toSpliced(1, 1), {}, 'R-000-03 stands where statement 2'],
    ['an id repeats', [...list, ...list.slice(3)], {}, 'R-000-04 stands where statement 5'],
    ['an id is malformed', [...list, ...list.slice(2, 3).map(malformed)], {}, 'R-0-4 is not an id'],
  ])('reports that %s', (_name, requirements, more, says) => {
    expect(checkRequirements(requirements, evidence(more))).toEqual([expect.stringContaining(says)])
  })

  function malformed(requirement: Requirement): Requirement {
    return { ...requirement, id: 'R-0-4' }
  }

  test('reads complete ids, once for each file', () => {
    const places = mentionsIn(
      new Map([
        ['a.test.ts', "test('x (R-000-01, R-002-100)') // R-000-01"],
        ['b.test.ts', 'R-000-01..03 XR-000-04'],
      ]),
    )
    expect(Object.fromEntries(places)).toEqual({
      'R-000-01': ['a.test.ts', 'b.test.ts'],
      'R-002-100': ['a.test.ts'],
    })
  })

  test('knows the scenarios that each program plays', () => {
    const scenarios = scenariosIn(chapters)
    const mux = [
      'MUX: an orchestrator that may only delegate',
      'the model loads `mux`, tries what it may not',
    ]
    const names = [...scenarios.keys()].filter((name) => mux.every((part) => name.includes(part)))
    expect(names.map((name) => [name.split(' ')[0], scenarios.get(name)])).toEqual([
      ['claude-code', true],
      ['codex', false],
    ])
  })
})
