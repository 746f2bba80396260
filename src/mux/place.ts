import { isAbsolute, join, relative, resolve } from 'node:path'
import { bad, good, type Result } from '../errors.ts'

/** Where the tools work. Every path is told and taken from the project's root, wherever the caller stands. */
export interface Place {
  readonly project: string
  /** Where every link leads, as far as the path exists. */
  realpath(path: string): string
}

/** The file or folder meant, with every link followed. What lies outside of the project is nobody's session. */
export function inProject(text: string, { project, realpath }: Place): Result<string> {
  if (text.trim() === '' || /[\0\r\n]/.test(text)) {
    const message = text.trim() === '' ? 'The path is empty.' : 'A path is one line.'
    return bad('OPTION_INVALID', message, { fix: 'Give a path from the root of the project.' })
  }
  const root = realpath(project)
  const path = realpath(resolve(root, text))
  const below = relative(root, path)
  if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) return good(path)
  return bad('FILE_OUTSIDE', `${text} is not a place inside the project ${root}.`, {
    fix: 'Give a path from the root of the project, such as tmp/mux/20260131-0900-topic.',
  })
}

/** As the tools print it: from the root of the project, also when the caller stands elsewhere. */
export function shownPath(path: string, { project, realpath }: Place): string {
  const below = relative(realpath(project), path)
  return below.startsWith('..') || isAbsolute(below) ? path : below
}

/** Both names are in use. The first one is ours. */
export const SIGNAL_FOLDERS: readonly string[] = ['.signals', 'signals']

export function agentFolder(session: string): string {
  return join(session, '.agents')
}
