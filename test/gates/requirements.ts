import type { Chapter } from '../hosts/scenario.ts'
import type { Requirement } from '../requirements.ts'
import type { CollectedTest } from './requirements-collected.ts'

/** The files in which an id was found. */
export type Places = ReadonlyMap<string, readonly string[]>

/** What the list is compared with. */
export interface Evidence {
  /** Ids in the names of tests that `npm test` runs. */
  readonly citations: Places
  /** Ids anywhere in the text of a test file: also in comments, in skipped tests and in the other suites. */
  readonly mentions: Places
  /** The parts that exist in the repository; a requirement may not wait for one of them. */
  readonly present: ReadonlySet<string>
  /** The scenarios with real agent programs, by `scenarioName`, and whether that program plays them. */
  readonly scenarios: ReadonlyMap<string, boolean>
}

/** Compares the list with the tests. Returns complaints. */
export function checkRequirements(list: readonly Requirement[], evidence: Evidence): string[] {
  return [
    ...list.flatMap((requirement) => checkStatus(requirement, evidence)),
    ...checkNumbering(list.map(({ id }) => id)),
    ...checkUnknown(new Set(list.map(({ id }) => id)), evidence.mentions),
  ]
}

/** Only ids in names count, because a comment next to a test is not run. */
export function citationsIn(tests: readonly CollectedTest[]): Places {
  return placesOf(tests.map(({ file, name }) => [file, name]))
}

export function mentionsIn(files: ReadonlyMap<string, string>): Places {
  return placesOf([...files])
}

/** The name that the hosts suite gives to the test of this scenario. */
function scenarioName(host: string, chapter: string, scenario: string): string {
  return `${host} > ${chapter} > ${scenario}`
}

export function scenariosIn(chapters: readonly Chapter[]): ReadonlyMap<string, boolean> {
  return new Map(
    chapters.flatMap(({ title, scenarios }) =>
      scenarios.flatMap(({ name, expected }) =>
        Object.entries(expected).map(([host, checks]) => [
          scenarioName(host, title, name),
          !('cannot' in checks),
        ]),
      ),
    ),
  )
}

/** Ids are written in full: `R-002-45..48` cites only the first one. */
function placesOf(texts: readonly (readonly [file: string, text: string])[]): Places {
  const places = new Map<string, string[]>()
  for (const [file, text] of texts) {
    for (const id of new Set(text.match(/(?<![\w-])(?:R-\d+-\d+|K-(?:2[7-9]|[3-9]\d))(?![\w-])/g))) {
      const files = places.get(id) ?? []
      if (!files.includes(file)) places.set(id, [...files, file])
    }
  }
  return places
}

function checkStatus(
  { id, status }: Requirement,
  { citations, mentions, present, scenarios }: Evidence,
): string[] {
  const [cites] = citations.get(id) ?? []
  if ('cited' in status) return cites === undefined ? [uncited(id, mentions.get(id))] : []
  if ('scenario' in status) return checkScenario(id, status.scenario, scenarios)
  if ('informational' in status) {
    return cites === undefined ? [] : [`${id} is informational, and ${cites} cites it. Mark it cited.`]
  }
  if (cites !== undefined) return [`${id} waits for ${status.waits}, and ${cites} cites it. Mark it cited.`]
  return present.has(status.waits)
    ? [`${id} waits for ${status.waits}, which is here. Cite it in a test and mark it cited.`]
    : []
}

function uncited(id: string, mentioning: readonly string[] = []): string {
  const found = mentioning.length === 0 ? '' : ` (${mentioning.join(', ')} only mentions it)`
  return `${id} is marked cited, and no test that npm test runs has it in its name${found}. Write the test.`
}

function checkScenario(id: string, name: string, scenarios: ReadonlyMap<string, boolean>): string[] {
  const isPlayed = scenarios.get(name)
  if (isPlayed === undefined) return [`${id} is shown by "${name}", and test/hosts has no such scenario.`]
  return isPlayed ? [] : [`${id} is shown by "${name}", which that program cannot play.`]
}

/** Smaller numbers are contradictions between the documents, which only comments of tests name. */
const FIRST_OVERLOOKED = 27

/** The statements of a document are numbered from 1, in order, without gaps or repeats. */
function checkNumbering(ids: readonly string[]): string[] {
  const complaints: string[] = []
  const last = new Map<string, number>()
  for (const id of ids) {
    const [, document, digits = ''] = /^(R-\d{3}|K)-(\d{2,3})$/.exec(id) ?? []
    if (document === undefined) {
      complaints.push(`${id} is not an id. Write R-000-01 or K-27.`)
      continue
    }
    const expected = (last.get(document) ?? (document === 'K' ? FIRST_OVERLOOKED - 1 : 0)) + 1
    if (Number(digits) !== expected) {
      complaints.push(
        `${id} stands where statement ${expected} of document ${document.replace('R-', '')} should.`,
      )
    }
    last.set(document, Number(digits))
  }
  return complaints
}

function checkUnknown(known: ReadonlySet<string>, mentions: Places): string[] {
  return [...mentions]
    .filter(([id]) => !known.has(id))
    .map(([id, files]) => `${files[0]} cites ${id}, which is not in the list. Correct the id.`)
}
