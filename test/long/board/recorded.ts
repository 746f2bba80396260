import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SPOOL } from '../../../src/storage/journal/spool.ts'

/** Sessions that test/hosts/board.test.ts recorded from the real programs. */
const RECORDED = ['claude-code', 'codex']

/** Puts them into the journal of a new home as if they had just ended. `project` takes the place of theirs. */
export function writeRecorded(home: string, project: string): void {
  const lines = RECORDED.flatMap((name) =>
    readFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line.replaceAll('/srv/shop', project)) as { at: string }),
  )
  const lastMs = Math.max(...lines.map(({ at }) => Date.parse(at)))
  const shiftMs = Date.now() - 60_000 - lastMs
  const text = lines
    .map((record) => ({ ...record, at: new Date(Date.parse(record.at) + shiftMs).toISOString() }))
    .sort((one, other) => one.at.localeCompare(other.at))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
  mkdirSync(join(home, 'journal'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'journal', SPOOL), text, { mode: 0o600 })
}
