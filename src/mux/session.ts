import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bad, good, type Result } from '../errors.ts'
import { writeWhole } from '../world/files.ts'
import { codeOf, said } from '../world/owned-file.ts'
import { inProject, type Place, shownPath } from './place.ts'
import { readFile } from './read-file.ts'

/** A folder for one orchestration: what agents write, how they signal, who they are. */
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
/** More than one minute can hold. */
const SAME_MINUTE_MAX = 100

export function createSession(asked: NewSession, place: Place): Result<Session> {
  const slug = slugOf(asked.topic)
  if (slug === '') {
    const message = `"${asked.topic}" has no letter or digit to make a name of.`
    return bad('OPTION_INVALID', message, { fix: 'Name the topic, such as `payment-retries`.' })
  }
  const base = inProject(asked.base, place)
  if (!base.ok) return base
  try {
    const folder = newFolder(base.value, `${minuteOf(asked.now)}-${slug}`)
    for (const name of FOLDERS) mkdirSync(join(folder, name))
    // Others read its first line as the trace of everything here.
    const parent = asked.parentTrace === undefined ? '' : `parent: ${oneLine(asked.parentTrace)}\n`
    writeWhole(join(folder, '.trace'), `${asked.trace}\n${parent}`)
    return good({ folder: shownPath(folder, place), trace: asked.trace })
  } catch (error) {
    const message = `The session folder cannot be made: ${said(error)}.`
    return bad('STATE_UNWRITABLE', message, {
      file: base.value,
      fix: 'Check the folder, or give another --base.',
    })
  }
}

/** The session's trace; undefined where there is none, or nothing that looks like one. */
export function traceOf(session: string): string | undefined {
  return /^[0-9a-f]{16}\b/.exec(readFile(join(session, '.trace'), 64)?.text ?? '')?.[0]
}

/** Whatever a topic is called, its name is a harmless one. */
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

/** Local time, as the person sees it on the clock. */
function minuteOf(now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${day}-${two(now.getHours())}${two(now.getMinutes())}`
}

/** Whoever makes the folder has it; of two in the same minute the second gets a number. */
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
  throw new Error(`there are ${SAME_MINUTE_MAX} sessions of this minute and topic`)
}
