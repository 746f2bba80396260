import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../core/json.ts'

/** A session in which a call ran without a decision, or although it was denied. Stored until a person runs `audit`. */
export interface NotedHole {
  readonly at: string
  readonly host: string
  readonly session: string
  /** Calls that ran. */
  readonly ran: number
  /** Calls that ran without a decision. */
  readonly missed: number
  readonly ranAlthoughDenied: number
}

const NOTED_MAX = 20

function holesFile(journal: string): string {
  return join(journal, 'holes.json')
}

/** Adds a session to the list. Only the daemon's journal thread calls this. */
export function noteHole(journal: string, hole: NotedHole): void {
  const noted = readHoles(journal).filter(({ session }) => session !== hole.session)
  const file = holesFile(journal)
  writeFileSync(`${file}.tmp`, `${JSON.stringify([...noted, hole].slice(-NOTED_MAX))}\n`, { mode: 0o600 })
  renameSync(`${file}.tmp`, file)
}

/** From oldest to newest. A list that cannot be read is empty. */
export function readHoles(journal: string): readonly NotedHole[] {
  try {
    const value: unknown = JSON.parse(readFileSync(holesFile(journal), 'utf8'))
    return Array.isArray(value) ? value.filter(isHole) : []
  } catch {
    return []
  }
}

function isHole(value: unknown): value is NotedHole {
  if (!isObject(value)) return false
  const { at, host, session, ran, missed, ranAlthoughDenied } = value
  return (
    [at, host, session].every((text) => typeof text === 'string') &&
    [ran, missed, ranAlthoughDenied].every((count) => typeof count === 'number')
  )
}

export function forgetHoles(journal: string): void {
  rmSync(holesFile(journal), { force: true })
}
