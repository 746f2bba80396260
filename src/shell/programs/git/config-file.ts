import { resolvePath } from '../../words/paths.ts'

/** The text of a file; undefined if there is none. */
export type ReadText = (path: string) => string | undefined

/** A setting as git reads it: section and name in small letters, what stands between them as it is. */
export interface GitEntry {
  readonly key: string
  readonly value: string
}

/** The repository that git finds in a folder, without asking git: a configuration can make git run programs. */
export interface GitRepository {
  /** The folder that holds `.git`; undefined if a command named the git folder. */
  readonly root: string | undefined
  readonly folder: string
}

const FOLDERS_MAX = 64

/** As git looks for it: in the folder and in every one above. */
export function gitRepositoryAt(cwd: string, read: ReadText): GitRepository | undefined {
  let folder = below('/', cwd)
  for (let count = 0; count < FOLDERS_MAX; count += 1) {
    const git = below(folder, '.git')
    if (isGitFolder(git, read)) return { root: folder, folder: git }
    const elsewhere = /^gitdir:[ \t]*(.+?)\s*$/.exec(read(git) ?? '')?.[1]
    if (elsewhere !== undefined) return { root: folder, folder: below(folder, elsewhere) }
    // A folder with the files of a git folder is one, wherever it lies.
    if (read(below(folder, 'HEAD')) !== undefined && isGitFolder(folder, read))
      return { root: undefined, folder }
    const above = below(folder, '..')
    if (above === folder) return undefined
    folder = above
  }
  return undefined
}

function isGitFolder(folder: string, read: ReadText): boolean {
  return ['config', 'HEAD'].some((name) => read(below(folder, name)) !== undefined)
}

/** A path as it is meant in a folder. */
function below(folder: string, path: string): string {
  return resolvePath(path, { cwd: folder, home: '/' }) ?? path
}

/**
 * What git would read of settings files: those of the machine, of the user and of the repository, with what they include,
 * in the order of git, where the last one counts. Every included file is read, whatever its condition.
 */
export function gitEntries(
  repository: GitRepository | undefined,
  home: string,
  read: ReadText,
): readonly GitEntry[] {
  const seen = new Set<string>()
  const common = (folder: string): string => {
    const shared = read(below(folder, 'commondir'))?.trim()
    return shared === undefined ? folder : below(folder, shared)
  }
  const files = [
    '/etc/gitconfig',
    below(home, '.config/git/config'),
    below(home, '.gitconfig'),
    ...(repository === undefined
      ? []
      : [below(common(repository.folder), 'config'), below(repository.folder, 'config.worktree')]),
  ]
  return files.flatMap((file) => entriesOf(file, home, read, seen))
}

/** Git itself stops at ten. */
const INCLUDED_MAX = 32

function entriesOf(file: string, home: string, read: ReadText, seen: Set<string>): readonly GitEntry[] {
  if (seen.has(file) || seen.size >= INCLUDED_MAX) return []
  seen.add(file)
  return parseGitConfig(read(file) ?? '').flatMap((entry) => {
    if (!/^include(?:if\..*)?\.path$/s.test(entry.key)) return [entry]
    const path = entry.value.replace(/^~(?=\/)/, home)
    return [entry, ...entriesOf(below(below(file, '..'), path), home, read, seen)]
  })
}

const SECTION = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/
const NAME = /^\s*([a-zA-Z][\w-]*)\s*(=?)/

/** Reads the text of a settings file of git. With a line that git cannot read it reads none; the others are read here. */
export function parseGitConfig(text: string): readonly GitEntry[] {
  const entries: GitEntry[] = []
  // Git does not stop at a mark of the byte order, and takes `\` before an end of line for one line.
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  let section = ''
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at] ?? ''
    const [head, name, subsection] = SECTION.exec(line) ?? []
    if (head !== undefined) {
      section = `${name?.toLowerCase()}${subsection === undefined ? '' : `.${subsection.replace(/\\(.)/g, '$1')}`}`
      line = line.slice(head.length)
    }
    const [start, key, equals] = NAME.exec(line) ?? []
    if (start === undefined || section === '') continue
    const parts = [equals === '=' ? line.slice(start.length) : '']
    while (goesOn(parts.at(-1) ?? '') && at + 1 < lines.length) {
      at += 1
      parts.push(parts.pop()?.slice(0, -1) ?? '', lines[at] ?? '')
    }
    // A name alone is switched on.
    const value = equals === '=' ? settingValue(parts.join('')) : 'true'
    entries.push({ key: `${section}.${key?.toLowerCase()}`, value })
  }
  return entries
}

/** With an odd number of backslashes at its end. */
function goesOn(line: string): boolean {
  let at = line.length
  while (line[at - 1] === '\\') at -= 1
  return (line.length - at) % 2 === 1
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Blanks around it and a comment are none of the value, unless they are quoted. */
function settingValue(text: string): string {
  let value = ''
  let kept = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') {
      isQuoted = !isQuoted
      kept = value.length
      continue
    }
    if (!isQuoted && (character === '#' || character === ';')) break
    if (character === '\\') {
      at += 1
      value += ESCAPES[text[at] ?? ''] ?? text[at] ?? ''
      kept = value.length
      continue
    }
    if (!isQuoted && /\s/.test(character)) {
      if (value !== '') value += character
      continue
    }
    value += character
    kept = value.length
  }
  return value.slice(0, kept)
}
