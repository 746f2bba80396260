import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SESSION_ID } from '../../policy/mux/news.ts'
import { writeWhole } from '../../system/files.ts'
import type { Workspace } from './place.ts'
import { readFile } from './read-file.ts'

/**
 * The file that marks a running orchestration, one for each session of an agent:
 * `outputs/session/<session id>/mux-active`. A process id is not enough: a resumed session has a new process, and process
 * ids are used again. An agent that does not name its session uses `shared`.
 */
export function markerOf({ project }: Workspace, session: string): string {
  return join(project, 'outputs', 'session', SESSION_ID.test(session) ? session : 'shared', 'mux-active')
}

export function setMarker(marker: string, session: string): void {
  writeWhole(marker, `${session}\n`)
}

/** The session in the marker; undefined if there is no marker. */
export function readMarker(marker: string): string | undefined {
  return readFile(marker, 4096)?.text.trim()
}

/** False if there was none: ending it twice is the same as ending it once. */
export function removeMarker(marker: string): boolean {
  const wasThere = existsSync(marker)
  rmSync(marker, { force: true })
  try {
    rmdirSync(dirname(marker))
  } catch {
    // The folder contains other files, so it stays.
  }
  return wasThere
}
