import { isAbsolute, join, relative, resolve } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'

/**
 * Where the tools work. Every path is printed and read relative to the project's root, whatever the current
 * folder is.
 */
export interface Workspace {
  readonly project: string
  /** With links resolved as far as the path exists. */
  realpath(path: string): string
}

/** The file or folder that is meant, with every link resolved. Paths outside the project are refused. */
export function resolveInProject(text: string, { project, realpath }: Workspace): Result<string> {
  if (text.trim() === '' || /[\0\r\n]/.test(text)) {
    const message = text.trim() === '' ? 'The path is empty.' : 'The path has more than one line.'
    return bad('OPTION_INVALID', message, { fix: 'Use a path from the root of the project.' })
  }
  const root = realpath(project)
  const path = realpath(resolve(root, text))
  const below = relative(root, path)
  if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) return good(path)
  return bad('FILE_OUTSIDE', `${text} is not inside the project ${root}.`, {
    fix: 'Use a path from the root of the project, such as tmp/mux/20260131-0900-topic.',
  })
}

/** As the tools print it: from the root of the project, whatever the current folder is. */
export function shownPath(path: string, { project, realpath }: Workspace): string {
  const below = relative(realpath(project), path)
  return below.startsWith('..') || isAbsolute(below) ? path : below
}

/** Both names are in use. The first one is Holdpoint's own. */
export const SIGNAL_FOLDERS: readonly string[] = ['.signals', 'signals']

export function folderOfAgent(session: string): string {
  return join(session, '.agents')
}
