import type { Requirement } from '../requirements.ts'

/** Which test files cite an id. */
export type Citations = ReadonlyMap<string, readonly string[]>

/**
 * The list against the tests: complaints, or nothing. `present` are the parts that are in the repository; a
 * requirement may not wait for one of them.
 */
export function checkRequirements(
  list: readonly Requirement[],
  citations: Citations,
  present: ReadonlySet<string>,
): string[] {
  return [
    ...list.flatMap((requirement) => checkStatus(requirement, citations, present)),
    ...checkNumbering(list.map(({ id }) => id)),
    ...checkUnknown(new Set(list.map(({ id }) => id)), citations),
  ]
}

/** Every id in the files. Ids are written out in full: `R-002-45..48` cites the first alone. */
export function citationsIn(files: ReadonlyMap<string, string>): Citations {
  const citations = new Map<string, string[]>()
  for (const [path, text] of files) {
    for (const id of new Set(text.match(/(?<![\w-])R-\d+-\d+(?![\w-])/g))) {
      citations.set(id, [...(citations.get(id) ?? []), path])
    }
  }
  return citations
}

function checkStatus(
  { id, status }: Requirement,
  citations: Citations,
  present: ReadonlySet<string>,
): string[] {
  const files = citations.get(id) ?? []
  if ('cited' in status) {
    return files.length > 0
      ? []
      : [`${id} is marked cited, and no test cites it. Write the test, or name its part.`]
  }
  if (!('waits' in status)) return []
  const part = status.waits
  if (files.length > 0) return [`${id} waits for ${part}, and ${files[0]} cites it. Mark it cited.`]
  return present.has(part)
    ? [`${id} waits for ${part}, which is here. Cite it in a test and mark it cited.`]
    : []
}

/** The statements of a document are numbered from 1, in order, without gaps or repeats. */
function checkNumbering(ids: readonly string[]): string[] {
  const complaints: string[] = []
  const last = new Map<string, number>()
  for (const id of ids) {
    const [, document, digits = ''] = /^R-(\d{3})-(\d{2,3})$/.exec(id) ?? []
    if (document === undefined) {
      complaints.push(`${id} is not an id. Write R-000-01.`)
      continue
    }
    const expected = (last.get(document) ?? 0) + 1
    if (Number(digits) !== expected) {
      complaints.push(`${id} stands where statement ${expected} of document ${document} should.`)
    }
    last.set(document, Number(digits))
  }
  return complaints
}

function checkUnknown(known: ReadonlySet<string>, citations: Citations): string[] {
  return [...citations]
    .filter(([id]) => !known.has(id))
    .map(([id, files]) => `${files[0]} cites ${id}, which is not in the list. Correct the id.`)
}
