import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeWhole } from '../world/files.ts'
import type { Place } from './place.ts'
import { readFile } from './read-file.ts'

/**
 * The file that says that an orchestration runs here, one for each agent program: `outputs/session/<pid>/mux-active`.
 * Scripts of older set-ups look for it. Holdpoint itself knows from the agent which skills are active.
 */
export function markerOf({ project }: Place, pid: string): string {
  return join(project, 'outputs', 'session', PID.test(pid) ? pid : 'shared', 'mux-active')
}

const PID = /^\d{1,10}$/

export function setMarker(marker: string, session: string): void {
  writeWhole(marker, `${session}\n`)
}

/** The session it stands for; undefined when there is no marker. */
export function readMarker(marker: string): string | undefined {
  return readFile(marker, 4096)?.text.trim()
}

/** False when there was none: to end twice is to end once. */
export function removeMarker(marker: string): boolean {
  const wasThere = existsSync(marker)
  rmSync(marker, { force: true })
  try {
    rmdirSync(dirname(marker))
  } catch {
    // Somebody keeps other things there.
  }
  return wasThere
}
