import { constants, copyFileSync, linkSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { FoldedSession } from '../../core/state/fold.ts'
import { encodeSnapshot } from '../../core/state/snapshot.ts'
import { movedLine, snapshotLine } from './session-log.ts'

/**
 * A long session continues in a new file that begins with a snapshot. A line seals the old file: what is before the seal
 * is fixed, so every process computes the same snapshot, and the first one creates the file. A sealed file is then
 * replaced by a line with the number of the next file. No file name becomes free again, so that a process that was
 * suspended for long cannot restore an old state.
 */

/** The file of a generation. A session begins with 0. */
export function generationPath(path: string, number: number): string {
  return number === 0 ? path : path.replace(/(\.session\.jsonl)$/, `.${number}$1`)
}

/** Creates the file after a sealed one, unless it exists, and lets the old names lead to it. */
export function makeNext(path: string, number: number, state: FoldedSession): void {
  const next = generationPath(path, number + 1)
  withDraft(next, `${snapshotLine(encodeSnapshot(state))}\n`, (draft) => createFrom(draft, next))
  for (const old of new Set([generationPath(path, number), path])) {
    withDraft(old, `${movedLine(number + 1)}\n`, (draft) => renameSync(draft, old))
  }
}

function withDraft(path: string, text: string, use: (draft: string) => void): void {
  const folder = mkdtempSync(`${path}.`)
  const draft = `${folder}/draft`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    use(draft)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The file appears with all its contents, or not at all. A file from another process is just as good. */
function createFrom(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    // The file system has no links.
    if (codeOf(error) === 'ENOENT') throw error
    try {
      copyFileSync(draft, path, constants.COPYFILE_EXCL)
    } catch (failed) {
      if (codeOf(failed) !== 'EEXIST') throw failed
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
