import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { writeWhole } from '../../system/files.ts'
import { codeOf, said } from '../../system/owned-file.ts'
import { resolveInProject, shownPath, type Workspace } from './place.ts'
import { readFile } from './read-file.ts'

/** The folder of one orchestration: reports, signals and the list of agents. */
export interface NewSession {
  readonly topic: string
  readonly base: string
  readonly parentTrace?: string
  readonly now: Date
  /** 16 hex digits. */
  readonly trace: string
}

export interface Session {
  /** From the root of the project. */
  readonly folder: string
  readonly trace: string
}

const FOLDERS: readonly string[] = ['research', 'audits', 'consolidated', 'spy', '.signals', '.agents']
/** More sessions than can start in one minute. */
const SAME_MINUTE_MAX = 100

export function createSession(asked: NewSession, place: Workspace): Result<Session> {
  const slug = slugOf(asked.topic)
  if (slug === '') {
    const message = `The topic "${asked.topic}" has no letter or digit, so it cannot be used as a name.`
    return bad('OPTION_INVALID', message, { fix: 'Use a topic such as `payment-retries`.' })
  }
  const base = resolveInProject(asked.base, place)
  if (!base.ok) return base
  try {
    const folder = newFolder(base.value, `${minuteOf(asked.now)}-${slug}`)
    for (const name of FOLDERS) mkdirSync(join(folder, name))
    // Other programs read its first line as the trace id of this session.
    const parent = asked.parentTrace === undefined ? '' : `parent: ${oneLine(asked.parentTrace)}\n`
    writeWhole(join(folder, '.trace'), `${asked.trace}\n${parent}`)
    return good({ folder: shownPath(folder, place), trace: asked.trace })
  } catch (error) {
    const message = `The session folder cannot be created: ${said(error)}.`
    return bad('STATE_UNWRITABLE', message, {
      file: base.value,
      fix: 'Check the folder, or choose another one with --base.',
    })
  }
}

/** The session's trace id; undefined if there is none or it is not valid. */
export function traceOf(session: string): string | undefined {
  return /^[0-9a-f]{16}\b/.exec(readFile(join(session, '.trace'), 64)?.text ?? '')?.[0]
}

/** Turns any topic into a safe name. */
function slugOf(topic: string): string {
  const plain = topic
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replace(/^-|-$/g, '')
}

const SLUG_MAX = 60

export function oneLine(text: string): string {
  return text.replace(/[\s\0]+/g, ' ').trim()
}

/** Local time, as the user sees it on the clock. */
function minuteOf(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}`
}

/** The process that creates the folder owns it; a second one in the same minute gets a number. */
function newFolder(base: string, name: string): string {
  mkdirSync(base, { recursive: true })
  for (let count = 1; count <= SAME_MINUTE_MAX; count += 1) {
    const folder = join(base, count === 1 ? name : `${name}-${count}`)
    try {
      mkdirSync(folder)
      return folder
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  throw new Error(`there are already ${SAME_MINUTE_MAX} sessions with this minute and topic`)
}
