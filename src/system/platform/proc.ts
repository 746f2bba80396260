import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Linux only: the files in which the kernel describes processes. No other file of Holdpoint reads them. */

const FOLDER = '/proc'

export type ProcessId = number | 'self'

/** Whether this system has them: a Mac has none, and some sandboxes hide them. */
export function hasProc(): boolean {
  return process.platform === 'linux' && existsSync(`${FOLDER}/self/stat`)
}

export function procPath(pid: ProcessId, what: string): string {
  return `${FOLDER}/${pid}/${what}`
}

/** A process of another user shows little of itself, and one that has ended nothing. */
export function procText(pid: ProcessId, what: string): string | undefined {
  try {
    return readFileSync(procPath(pid, what), 'latin1')
  } catch {
    return undefined
  }
}

export function procLink(pid: ProcessId, what: string): string | undefined {
  try {
    return readlinkSync(procPath(pid, what))
  } catch {
    return undefined
  }
}

export function procPids(): readonly number[] {
  return readdirSync(FOLDER).map(Number).filter(Number.isInteger)
}

/** The user whose process this is. */
export function procUser(pid: number): number | undefined {
  try {
    return lstatSync(`${FOLDER}/${pid}`).uid
  } catch {
    return undefined
  }
}

/** In a namespace of its own, any user can look like root. */
export function isRootReal(): boolean {
  return process.platform !== 'linux' || /^\s*0\s+0\s+4294967295\s*$/.test(procText('self', 'uid_map') ?? '')
}
