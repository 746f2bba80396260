import { lstatSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Note } from '../core/decision.ts'
import { appendLine } from './append-line.ts'

/** Above this size a new log file is started; the previous one is kept. */
const LOG_BYTES_MAX = 4 * 1024 * 1024
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

const TEMPORARY = process.platform === 'win32' ? tmpdir() : '/tmp'

/** Writes one line of a hook's log to the state folder and, on request, to the system's temporary folder too. */
export function keepLog(
  { path: name, inTmp }: Extract<Note, { kind: 'log' }>,
  line: string,
  folder: string | undefined,
): void {
  if (!NAME.test(name)) throw new Error('this is not a valid log name')
  const folders = [...(folder === undefined ? [] : [folder]), ...(inTmp === true ? [TEMPORARY] : [])]
  for (const each of folders) {
    const path = join(each, `${name}.log`)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isFile() === true && stat.uid !== process.getuid?.())
      throw new Error(`${path} is another user's`)
    if (stat?.isFile() === true && stat.size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
    appendLine(path, line)
  }
}
