import type { Event } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import { isObject, type JsonObject, textAt } from '../../../core/json.ts'
import { isInside } from '../../../shell/words/paths.ts'

/** A file that hooks were installed into, and what is wrong with it now. The plan puts these into the pack's options. */
export interface InstalledFile {
  readonly host: string
  readonly scope: string
  readonly file: string
  readonly wrong?: string
}

/** Undefined where nobody has looked, as in a program that uses the library. */
export function installedFiles(options: JsonObject): readonly InstalledFile[] | undefined {
  return Array.isArray(options.installs) ? filesIn(options.installs) : undefined
}

/** Settings that switch off the hooks of an agent. */
function switchedOffBy(options: JsonObject, host: string): readonly InstalledFile[] {
  const list = Array.isArray(options.switchedOff) ? filesIn(options.switchedOff) : []
  return list.filter((each) => each.host === host)
}

function filesIn(list: readonly unknown[]): readonly InstalledFile[] {
  return list.filter(isObject).flatMap((each): readonly InstalledFile[] => {
    const [file, wrong] = [textAt(each, 'file'), textAt(each, 'wrong')]
    const known = { host: textAt(each, 'host') ?? '', scope: textAt(each, 'scope') ?? '' }
    return file === undefined ? [] : [{ ...known, file, ...(wrong === undefined ? {} : { wrong }) }]
  })
}

/**
 * The files whose hooks this session has: those of this project, and those of the user where this session keeps its
 * transcript beside them. A person may have several folders of one agent, and one that is long gone.
 */
function sessionFiles(event: Event, facts: Facts, options: JsonObject): readonly InstalledFile[] {
  return (installedFiles(options) ?? []).filter(({ host, scope, file }) => {
    if (host !== event.host) return false
    if (scope === 'managed') return true
    const folder = file.slice(0, file.lastIndexOf('/'))
    if (scope !== 'user') return isInside(file, facts.project)
    const { transcriptPath } = event
    if (transcriptPath === undefined || !transcriptPath.startsWith('/')) return true
    return (
      isInside(transcriptPath, folder) || isInside(facts.realpath(transcriptPath), facts.realpath(folder))
    )
  })
}

/** What is wrong with the hooks of this session, a sentence each; none while one whole set of them is left. */
export function lostHooks(event: Event, facts: Facts, options: JsonObject): readonly string[] {
  const files = sessionFiles(event, facts, options)
  const whole = files.filter(({ wrong }) => wrong === undefined)
  // No other settings switch those of an administrator off.
  if (whole.some(({ scope }) => scope === 'managed')) return []
  const isWhole = whole.length > 0
  const off = files.length === 0 ? [] : switchedOffBy(options, event.host)
  return [...(isWhole ? [] : files), ...off].map(sentence)
}

/** The same of every file, also where another one still holds. */
export function changedHooks(event: Event, facts: Facts, options: JsonObject): readonly string[] {
  const wrong = sessionFiles(event, facts, options).filter((each) => each.wrong !== undefined)
  return [...wrong, ...switchedOffBy(options, event.host)].map(sentence)
}

function sentence({ file, wrong = '' }: InstalledFile): string {
  return `${file} ${wrong.replace(/\.$/, '')}`
}
