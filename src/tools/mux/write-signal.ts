import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { readSignal, renderSignal, type Signal } from '../../policy/mux/signal-format.ts'
import { withLock } from '../../system/file-lock.ts'
import { writeWhole } from '../../system/files.ts'
import { said } from '../../system/owned-file.ts'
import { SIGNAL_MAX_BYTES } from './find-signals.ts'
import { resolveInProject, SIGNAL_FOLDERS, shownPath, type Workspace } from './place.ts'
import { readFile } from './read-file.ts'
import { oneLine, traceOf } from './session.ts'

/** A signal as an agent requests it on the command line. */
export interface AskedSignal extends Pick<Signal, 'status' | 'error' | 'traceId' | 'version' | 'previous'> {
  readonly signal: string
  readonly report: string
  readonly sizeBytes?: number
  readonly now: Date
}

export interface WrittenSignal {
  /** From the root of the project. */
  readonly file: string
  readonly signal: Signal
  /** Something the agent should know. */
  readonly warning?: string
}

/**
 * Writes a signal completely or not at all. Two agents never share a signal: a name that belongs to another
 * report is refused, and readers see one of the two, never a mixture.
 */
export function writeSignal(asked: AskedSignal, place: Workspace): Result<WrittenSignal> {
  const [wanted, report] = [resolveInProject(asked.signal, place), resolveInProject(asked.report, place)]
  if (!wanted.ok) return wanted
  if (!report.ok) return report
  const size = sizeOf(report.value)
  if (size === undefined && asked.status === 'success') {
    const message = `The report ${asked.report} does not exist, so it cannot be signalled as a success.`
    return bad('OPTION_INVALID', message, {
      fix: 'Write the report first, or signal `--status fail --error WHY`.',
    })
  }
  const { folder, isMoved } = folderFor(wanted.value, place)
  const stem = basename(wanted.value).replace(/\.(?:done|fail)$/, '')
  if (stem === '') {
    const message = `The signal ${asked.signal} has no name before its extension.`
    return bad('OPTION_INVALID', message, { fix: 'Name it after the agent, such as researcher-1.done.' })
  }
  const file = join(folder, `${stem}.${asked.status === 'success' ? 'done' : 'fail'}`)
  const signal = signalOf(
    asked,
    shownPath(report.value, place),
    asked.sizeBytes ?? size ?? 0,
    dirname(folder),
  )
  try {
    mkdirSync(folder, { recursive: true })
    const written = withLock(join(folder, `.${stem}.lock`), () => replace(file, signal))
    if (!written.ok) return written
  } catch (error) {
    return bad('STATE_UNWRITABLE', `The signal cannot be written: ${said(error)}.`, { file })
  }
  const shown = shownPath(file, place)
  const warning = `Signals belong in a folder named \`.signals\`, so it was written to ${shown}.`
  return good({ file: shown, signal, ...(isMoved ? { warning } : {}) })
}

function signalOf(asked: AskedSignal, path: string, sizeBytes: number, session: string): Signal {
  const traceId = asked.traceId ?? traceOf(session)
  const texts = { error: asked.error, traceId, version: asked.version, previous: asked.previous }
  const lines = Object.entries(texts).flatMap(([key, text]) => (text ? [[key, oneLine(text)]] : []))
  const createdAt = asked.now.toISOString()
  return { path, status: asked.status, sizeBytes, createdAt, ...Object.fromEntries(lines) }
}

function sizeOf(report: string): number | undefined {
  const found = statSync(report, { throwIfNoEntry: false })
  return found?.isFile() === true ? found.size : undefined
}

/** In the signals folder of its session, whatever path the agent used. */
function folderFor(wanted: string, place: Workspace): { folder: string; isMoved: boolean } {
  const own = dirname(wanted)
  if (SIGNAL_FOLDERS.includes(basename(own))) return { folder: own, isMoved: false }
  const root = place.realpath(place.project)
  for (let folder = own; folder.startsWith(`${root}/`); folder = dirname(folder)) {
    const found = SIGNAL_FOLDERS.map((name) => join(folder, name)).find((each) => existsSync(each))
    if (found !== undefined) return { folder: found, isMoved: true }
  }
  return { folder: join(own, '.signals'), isMoved: true }
}

/** Under the lock of this name. The result of a second try replaces the first one, good or bad. */
function replace(file: string, signal: Signal): Result<void> {
  const other = file.endsWith('.done') ? file.replace(/\.done$/, '.fail') : file.replace(/\.fail$/, '.done')
  for (const each of [file, other]) {
    const taken = reportIn(each)
    if (taken !== undefined && taken !== signal.path) {
      const message = `This signal already exists for another report, ${taken}.`
      return bad('STATE_UNWRITABLE', message, {
        file: each,
        fix: 'Use a different signal name for each agent.',
      })
    }
  }
  writeWhole(file, renderSignal(signal))
  rmSync(other, { force: true })
  return good(undefined)
}

/** Also undefined for a file that is not written completely: it belongs to no report. */
function reportIn(file: string): string | undefined {
  const read = readSignal(readFile(file, SIGNAL_MAX_BYTES)?.text ?? '')
  return read.ok ? read.signal.path : undefined
}
