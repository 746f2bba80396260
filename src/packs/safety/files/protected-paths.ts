import { isInside } from '../../../shell/paths.ts'
import { HOME_FOLDERS, OPEN_TREES, SYSTEM_FOLDERS, SYSTEM_TREES, TEMPORARY } from './known-folders.ts'

/** Folders whose loss is not a mistake one undoes. Paths are absolute and resolved; nothing here reads the disk. */
export interface Ground {
  /** As written and with links resolved. */
  readonly homes: readonly string[]
  /** Empty where the paths are those of another machine. */
  readonly projects: readonly string[]
}

/** What the folder is, when it must not be deleted as a whole; undefined when it may. */
export function protectedAs(path: string, ground: Ground): string | undefined {
  if (path === '/') return 'the whole file system'
  if (ground.homes.includes(path)) return 'the home folder'
  if (ground.projects.includes(path)) return 'the project folder'
  if (ground.projects.some((project) => isInside(project, path))) return 'a folder that holds the project'
  if (ground.homes.some((home) => isInside(home, path))) return 'a folder that holds the home folder'
  if (TEMPORARY.includes(path)) return 'the shared temporary folder'
  const inHome = belowHome(path, ground)
  if (inHome !== undefined && HOME_FOLDERS.has(inHome)) return 'a main folder of the home folder'
  if (isOwn(path, ground)) return undefined
  if (SYSTEM_FOLDERS.includes(path) || isSystemTree(path)) return 'a system folder'
  if (/^\/(home|Users|Volumes|mnt|media)\/[^/]+$/.test(path)) return 'a whole home folder or volume'
  return /^\/[^/]+$/.test(path) ? 'a folder at the top of the file system' : undefined
}

/** Part of the system: not even some of what is in it may go. */
export function isSystemTree(path: string): boolean {
  if (TEMPORARY.some((folder) => isInside(path, folder))) return false
  return SYSTEM_TREES.some((tree) => isInside(path, tree)) && !OPEN_TREES.some((open) => open.test(path))
}

/** The rest of the path below a home folder, the person's own or another's. */
export function belowHome(path: string, ground: Ground): string | undefined {
  const home = ground.homes.find((each) => each !== '/' && path.startsWith(`${each}/`))
  if (home !== undefined) return path.slice(home.length + 1)
  return /^\/(?:root|home\/[^/]+|Users\/[^/]+)\/(.+)$/.exec(path)?.[1]
}

/** Every protected path that can be listed: what a pattern in a target is matched against. */
export function protectedPaths(ground: Ground): readonly string[] {
  const above = [...ground.projects, ...ground.homes].flatMap(withAncestors)
  const main = ground.homes.flatMap((home) => [...HOME_FOLDERS].map((name) => `${home}/${name}`))
  return [...new Set([...above, ...SYSTEM_TREES, ...SYSTEM_FOLDERS, ...TEMPORARY, ...main])]
}

/**
 * Where projects and temporary folders lie below a system folder, what is inside them is the agent's to delete. The home
 * folder is no temporary folder, wherever it lies.
 */
function isOwn(path: string, ground: Ground): boolean {
  return isInProject(path, ground) || isTemporary(path, ground)
}

export function isTemporary(path: string, ground: Ground): boolean {
  if (ground.homes.some((home) => isInside(path, home))) return false
  return TEMPORARY.some((folder) => path !== folder && isInside(path, folder))
}

/** A session started in `/`, in `/etc` or in the home folder does not make all of that a project. */
export function isInProject(path: string, ground: Ground): boolean {
  const projects = ground.projects.filter((project) => {
    const system = project === '/' || SYSTEM_TREES.includes(project) || SYSTEM_FOLDERS.includes(project)
    return !system && !ground.homes.some((home) => isInside(home, project))
  })
  return projects.some((project) => isInside(path, project))
}

function withAncestors(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}
