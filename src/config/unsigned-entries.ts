import type { Problem } from '../core/errors.ts'
import { exceptionsFile, readExceptions } from '../system/exceptions.ts'
import { pauseFile, readPause } from '../system/pause.ts'
import { isBelow } from '../system/regular-file.ts'
import { readTrustFile } from '../system/trust-file.ts'
import type { ConfigScope } from './places.ts'

/**
 * Entries that no person signed: written by a program, or by Holdpoint 0.1.0, which did not sign. They do not count, and
 * the user is notified.
 */
export function unsignedEntries({ home, project }: ConfigScope): readonly Problem[] {
  const told: Problem[] = []
  const tell = (file: string, message: string, fix: string) =>
    told.push({ code: 'UNSIGNED_ENTRY', message, file, fix })
  if (readPause(home).kind === 'unsigned') {
    const message = 'This pause is ignored: no person made it with `holdpoint pause`.'
    tell(
      pauseFile(home),
      message,
      'Run `holdpoint pause --end`. If you need a pause, run `holdpoint pause 1h`.',
    )
  }
  const { unsigned } = readExceptions(home)
  if (unsigned > 0) {
    const message = `${unsigned} exceptions are ignored: no person made them with \`holdpoint allow\`.`
    tell(exceptionsFile(home), message, 'Run `holdpoint allow CODE` again in a terminal, for those you need.')
  }
  const here = readTrustFile(home).unsigned.filter((path) => isBelow(path, project))
  if (here.length > 0) {
    const message = `The trust in ${here.length} files of this project does not count: no person signed it.`
    tell(home.trust, message, 'Run `holdpoint trust` in a terminal, in this project.')
  }
  return told
}
