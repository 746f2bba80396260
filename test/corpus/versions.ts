import { createHash } from 'node:crypto'
import { type Expectation, type Family, inputHash, isStop, type Row } from './rows.ts'

/** `id` to `expectation input-hash`, as of the last accepted state. */
export type Baseline = Readonly<Record<string, string>>

/** As it is kept in its file: by family and number, so that no name of a family is written a hundred times. */
export type KeptBaseline = Readonly<Record<string, Readonly<Record<string, string>>>>

export function kept(baseline: Baseline): KeptBaseline {
  const families: Record<string, Record<string, string>> = {}
  for (const [id, entry] of Object.entries(baseline)) {
    const at = id.lastIndexOf('-')
    const family = families[id.slice(0, at)] ?? {}
    family[id.slice(at + 1)] = entry
    families[id.slice(0, at)] = family
  }
  return families
}

export function readBaseline(families: KeptBaseline): Baseline {
  return Object.fromEntries(
    Object.entries(families).flatMap(([family, entries]) =>
      Object.entries(entries).map(([number, entry]) => [`${family}-${number}`, entry] as const),
    ),
  )
}

export interface Version {
  readonly version: number
  readonly rows: number
  readonly families: Readonly<Record<string, { readonly stop: number; readonly pass: number }>>
  /** Over every id, input and expectation. */
  readonly expectations: string
}

export function baselineOf(families: readonly Family[]): Baseline {
  return Object.fromEntries(families.flatMap(({ rows }) => rows.map((row) => [row.id, entryOf(row)])))
}

export function versionOf(families: readonly Family[], version: number): Version {
  const lines = Object.entries(baselineOf(families)).map(([id, entry]) => `${id} ${entry}\n`)
  const counts = families.map(({ name, rows }) => {
    const stop = rows.filter((row) => isStop(row.expect)).length
    return [name, { stop, pass: rows.length - stop }] as const
  })
  return {
    version,
    rows: lines.length,
    families: Object.fromEntries(counts),
    expectations: createHash('sha256').update(lines.join('')).digest('hex'),
  }
}

/**
 * Rows that expect less than before and are not named in the changelog: weaker, missing, or another input with the same
 * id. Users may rely on each of them.
 */
export function weakened(before: Baseline, families: readonly Family[], changelog: string): string[] {
  const now = baselineOf(families)
  return Object.entries(before).flatMap(([id, entry]) => {
    const complaint = complaintOf(entry, now[id])
    if (complaint === undefined || isNamed(id, changelog)) return []
    return [`${id} ${complaint}, and CHANGELOG.md does not name it`]
  })
}

function complaintOf(before: string, now: string | undefined): string | undefined {
  if (now === undefined) return 'is gone'
  const [expected, input] = before.split(' ')
  const [expects, sameInput] = now.split(' ')
  if (input !== sameInput) return 'has another input'
  return PROMISE[expects as Expectation] < PROMISE[expected as Expectation]
    ? `expected ${expected} and expects ${expects}`
    : undefined
}

/** `stop` and `ask` both mean that the user is asked at least. */
const PROMISE: Readonly<Record<Expectation, number>> = { pass: 0, stop: 1, ask: 1, deny: 2 }

function isNamed(id: string, changelog: string): boolean {
  return changelog.split(/[^\w-]+/).includes(id)
}

function entryOf(row: Row): string {
  return `${row.expect} ${inputHash(row)}`
}
