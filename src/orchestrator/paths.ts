import type { Facts } from '../facts.ts'
import { isInside, resolvePath } from '../shell/paths.ts'

export type Places = Pick<Facts, 'cwd' | 'home' | 'project' | 'realpath'>

/** Where skills, and the hooks beside them, may lie: in the project and with the person, in both known layouts. */
const SKILL_FOLDERS: readonly string[] = ['.claude/skills', 'core/skills', '~/.claude/skills']
const HOOK_FOLDERS: readonly string[] = ['.claude/hooks', 'core/hooks', '~/.claude/hooks']
const OWN_SKILLS: readonly string[] = ['mux', 'mux.md', 'mux-subagent', 'mux-subagent.md']
const PLUGINS = '~/.claude/plugins'
const SIGNALS: ReadonlySet<string> = new Set(['signals', '.signals'])

/** The path without `.`, `..` and `~`, relative to where the agent is. Undefined: no path at all. */
export function absolute(text: string, { cwd, home }: Places): string | undefined {
  return text === '' || text.includes('\0') ? undefined : resolvePath(text, { cwd, home })
}

/** Whether the orchestrator may read it: its own skills, and what agents signal. Judged where every link leads. */
export function mayRead(text: string, places: Places): boolean {
  const path = absolute(text, places)
  if (path === undefined) return false
  const own = SKILL_FOLDERS.flatMap((folder) => OWN_SKILLS.map((skill) => `${folder}/${skill}`))
  return leadsTo(text, path, places).every(
    (real) =>
      segments(real).slice(0, -1).some(isSignals) ||
      own.some((root) => isBelow(real, root, places)) ||
      isOfPlugin(path, real, places),
  )
}

/** Whether the orchestrator may search there: where skills and hooks are found. */
export function maySearch(text: string, places: Places): boolean {
  const path = absolute(text, places)
  if (path === undefined) return false
  const roots = [...SKILL_FOLDERS, ...HOOK_FOLDERS]
  return leadsTo(text, path, places).every((real) => roots.some((root) => isBelow(real, root, places)))
}

/**
 * Whether it is one of the tools: a file below a folder `tools` of the project or of the person's own Claude folder,
 * or below one of the roots named instead.
 */
export function isTool(text: string, roots: readonly string[] | undefined, places: Places): boolean {
  const path = absolute(text, places)
  // A bare name may be a program from the search path, and an address is fetched from wherever it leads.
  if (path === undefined || !text.includes('/') || text.endsWith('/') || ADDRESS.test(text)) return false
  const isTheirs = [places.project, rooted('~/.claude', places)].some((base) => isInside(path, base))
  const folders = roots ?? (isTheirs ? foldersNamed('tools', path) : [])
  return leadsTo(text, path, places).every((real) =>
    folders.some((folder) => isStrictlyBelow(real, folder, places)),
  )
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:/i

/**
 * Where a path leads. Programs that tidy it up first and those that hand it to the system as it is mean different
 * files by `link/../x`: it has to be fine for both.
 */
function leadsTo(text: string, path: string, { cwd, home, realpath }: Places): readonly string[] {
  const tidied = realpath(path)
  if (!text.includes('..')) return [tidied]
  const whole = text.startsWith('/')
    ? text
    : /^~(?:\/|$)/.test(text)
      ? `${home}${text.slice(1)}`
      : `${cwd}/${text}`
  const walked = segments(whole).reduce((at, step) => {
    if (step !== '..') return step === '.' ? at : `${at}/${step}`
    const real = realpath(at === '' ? '/' : at)
    return real.slice(0, real.lastIndexOf('/'))
  }, '')
  return [tidied, realpath(walked === '' ? '/' : walked)]
}

export function isSignals(segment: string): boolean {
  return SIGNALS.has(segment)
}

export function segments(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** A skill that came with a plugin lies below a folder of versions, which nobody can list beforehand. */
function isOfPlugin(path: string, real: string, places: Places): boolean {
  if (!isInside(path, rooted(PLUGINS, places))) return false
  return OWN_SKILLS.flatMap((skill) => foldersNamed(skill, path))
    .filter((folder) => /\/skills\/[^/]+$/.test(folder))
    .some((folder) => isBelow(real, folder, places))
}

/** Every folder on the way to the path that has this name, and the path itself. */
function foldersNamed(name: string, path: string): readonly string[] {
  const parts = segments(path)
  return parts.flatMap((part, index) => (part === name ? [`/${parts.slice(0, index + 1).join('/')}`] : []))
}

/** The folder may itself be a link to where skills are kept; what leads out of it is not in it. */
function isBelow(real: string, root: string, places: Places): boolean {
  return isInside(real, places.realpath(rooted(root, places)))
}

function isStrictlyBelow(real: string, root: string, places: Places): boolean {
  return isBelow(real, root, places) && real !== places.realpath(rooted(root, places))
}

function rooted(root: string, { project, home }: Places): string {
  return resolvePath(root, { cwd: project, home }) ?? root
}
