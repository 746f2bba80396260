import { lstatSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Note } from '../decision.ts'
import { appendLine } from './append-line.ts'

/** Beyond this a log begins anew; the one before it is kept. */
const LOG_BYTES_MAX = 4 * 1024 * 1024
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

const TEMPORARY = process.platform === 'win32' ? tmpdir() : '/tmp'

/** One line of a hook's log, in the folder of the state and, where that is asked for, in the system's folder too. */
export function keepLog(
  { path: name, inTmp }: Extract<Note, { put: 'log' }>,
  line: string,
  folder: string | undefined,
): void {
  if (!NAME.test(name)) throw new Error('that is no name of a log')
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
