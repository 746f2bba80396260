import type { Facts } from '../../core/facts.ts'
import { wordList } from '../../core/word-list.ts'
import { isInside, resolvePath } from '../../shell/words/paths.ts'

export type Places = Pick<Facts, 'cwd' | 'home' | 'project' | 'realpath'>

/** Folders in which agents look for skills, in the project and in the home folder. */
const AGENT_FOLDERS = wordList(
  '.claude .agents .codebuddy .copilot .github .qwen .gemini .factory .grok .kimi-code .opencode .kilo .pi',
)

/** Where skills and their hooks may be, in both known layouts. */
export const SKILL_FOLDERS: readonly string[] = [
  'core/skills',
  ...AGENT_FOLDERS.flatMap((folder) => [`${folder}/skills`, `~/${folder}/skills`]),
]
const HOOK_FOLDERS: readonly string[] = ['.claude/hooks', 'core/hooks', '~/.claude/hooks']
const OWN_SKILLS: readonly string[] = ['mux', 'mux.md', 'mux-subagent', 'mux-subagent.md']
const PLUGINS = '~/.claude/plugins'
const SIGNALS: ReadonlySet<string> = new Set(['signals', '.signals'])

/** The path without `.`, `..` and `~`, relative to the folder of the agent. Undefined if it is not a path. */
export function absolute(text: string, { cwd, home }: Places): string | undefined {
  return text === '' || text.includes('\0') ? undefined : resolvePath(text, { cwd, home })
}

/** Whether the orchestrator may read it: its own skills, and signals of agents. Every link is followed. */
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

/** Whether the orchestrator may search there: in folders for skills and hooks. */
export function maySearch(text: string, places: Places): boolean {
  const path = absolute(text, places)
  if (path === undefined) return false
  const roots = [...SKILL_FOLDERS, ...HOOK_FOLDERS]
  return leadsTo(text, path, places).every((real) => roots.some((root) => isBelow(real, root, places)))
}

/**
 * Whether it is one of the tools: a file below a folder `tools` of the project or of the user's own Claude folder, or
 * below one of the configured roots.
 */
export function isTool(text: string, roots: readonly string[] | undefined, places: Places): boolean {
  const path = absolute(text, places)
  // A plain name may be a program from the search path, and an address is downloaded.
  if (path === undefined || !text.includes('/') || text.endsWith('/') || ADDRESS.test(text)) return false
  const isTheirs = [places.project, rooted('~/.claude', places)].some((base) => isInside(path, base))
  const folders = roots ?? (isTheirs ? foldersNamed('tools', path) : [])
  return leadsTo(text, path, places).every((real) =>
    folders.some((folder) => isStrictlyBelow(real, folder, places)),
  )
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:/i

/**
 * The real file of a path. Some programs normalise `link/../x` first and others pass it to the system unchanged, so
 * they mean different files. Both files must be allowed.
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

/** A skill from a plugin is below a version folder, whose name is not known in advance. */
function isOfPlugin(path: string, real: string, places: Places): boolean {
  if (!isInside(path, rooted(PLUGINS, places))) return false
  return OWN_SKILLS.flatMap((skill) => foldersNamed(skill, path))
    .filter((folder) => /\/skills\/[^/]+$/.test(folder))
    .some((folder) => isBelow(real, folder, places))
}

/** Every parent folder of the path that has this name, and the path itself. */
function foldersNamed(name: string, path: string): readonly string[] {
  const parts = segments(path)
  return parts.flatMap((part, index) => (part === name ? [`/${parts.slice(0, index + 1).join('/')}`] : []))
}

/** The folder itself may be a link to where skills are stored. A link that leads out of it is not inside. */
function isBelow(real: string, root: string, places: Places): boolean {
  return isInside(real, places.realpath(rooted(root, places)))
}

function isStrictlyBelow(real: string, root: string, places: Places): boolean {
  return isBelow(real, root, places) && real !== places.realpath(rooted(root, places))
}

function rooted(root: string, { project, home }: Places): string {
  return resolvePath(root, { cwd: project, home }) ?? root
}
