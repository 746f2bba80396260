import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statfsSync, statSync } from 'node:fs'

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

/** What is in one of its folders. */
export function procNames(pid: ProcessId, what: string): readonly string[] {
  try {
    return readdirSync(procPath(pid, what))
  } catch {
    return []
  }
}

export function procPids(): readonly number[] {
  return readdirSync(FOLDER).map(Number).filter(Number.isInteger)
}

/**
 * Whether a process and its program are what they look like from here: a mount of its own can show another file under the
 * name of a program.
 */
export function isSeenAlike(pid: number, file: string): boolean {
  try {
    const [shown, real] = [statSync(file), statSync(procPath(pid, 'exe'))]
    const isSameFile = shown.dev === real.dev && shown.ino === real.ino
    return isSameFile && ['mnt', 'user', 'pid'].every((kind) => isSharedWith(pid, kind))
  } catch {
    return false
  }
}

function isSharedWith(pid: number, kind: string): boolean {
  const own = procLink('self', `ns/${kind}`)
  return own !== undefined && procLink(pid, `ns/${kind}`) === own
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
  if (process.platform !== 'linux') return true
  return (
    isProcReal() && isOuter('user') && /^\s*0\s+0\s+4294967295\s*$/.test(procText('self', 'uid_map') ?? '')
  )
}

/** In a namespace of its own, a process does not see those that started it. */
export function isEverythingSeen(): boolean {
  return process.platform !== 'linux' || (isOuter('pid') && isRootReal())
}

/** A user can mount other files in the place of these, in a namespace of its own. */
export function isProcReal(): boolean {
  try {
    const mounts = readFileSync(procPath('self', 'mountinfo'), 'latin1').split('\n')
    return (
      statfsSync(FOLDER).type === PROC_TYPE &&
      !mounts.some((line) => OVER_PROCESSES.test(line.split(' ')[4] ?? ''))
    )
  } catch {
    return false
  }
}

const PROC_TYPE = 0x9fa0
const OVER_PROCESSES = /^\/proc\/(?:\d+|self|thread-self)(?:\/|$)/

/** The kernel's own numbers of the first namespaces, which containers and `unshare` do not have. */
const FIRST = { user: 'user:[4026531837]', pid: 'pid:[4026531836]' } as const

function isOuter(kind: keyof typeof FIRST): boolean {
  return procLink('self', `ns/${kind}`) === FIRST[kind]
}
