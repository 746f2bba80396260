import { isInside } from '../../../../shell/words/paths.ts'
import { HOME_FOLDERS, OPEN_TREES, SYSTEM_FOLDERS, SYSTEM_TREES, TEMPORARY } from './known-folders.ts'

/**
 * Folders that cannot be restored once they are deleted. Paths are absolute and resolved; nothing here reads the
 * disk.
 */
export interface ProtectedRoots {
  /** As written, and with links resolved. */
  readonly homes: readonly string[]
  /** Empty if the paths are on another machine. */
  readonly projects: readonly string[]
}

/** The kind of folder, if it must not be deleted as a whole. Undefined if it may be deleted. */
export function protectedAs(path: string, ground: ProtectedRoots): string | undefined {
  if (path === '/') return 'the whole file system'
  if (ground.homes.includes(path)) return 'the home folder'
  if (ground.projects.includes(path)) return 'the project folder'
  if (ground.projects.some((project) => isInside(project, path))) return 'a folder that contains the project'
  if (ground.homes.some((home) => isInside(home, path))) return 'a folder that contains the home folder'
  if (TEMPORARY.includes(path)) return 'the shared temporary folder'
  const inHome = belowHome(path, ground)
  if (inHome !== undefined && HOME_FOLDERS.has(inHome)) return 'a main folder in the home folder'
  if (isOwn(path, ground)) return undefined
  if (SYSTEM_FOLDERS.includes(path) || isSystemTree(path)) return 'a system folder'
  if (/^\/(home|Users|Volumes|mnt|media)\/[^/]+$/.test(path)) return 'a whole home folder or volume'
  return /^\/[^/]+$/.test(path) ? 'a folder in the root of the file system' : undefined
}

/** A system folder: no part of it may be deleted. */
export function isSystemTree(path: string): boolean {
  if (TEMPORARY.some((folder) => isInside(path, folder))) return false
  return SYSTEM_TREES.some((tree) => isInside(path, tree)) && !OPEN_TREES.some((open) => open.test(path))
}

/** The rest of the path below a home folder, of this user or of another one. */
export function belowHome(path: string, ground: ProtectedRoots): string | undefined {
  const home = ground.homes.find((each) => each !== '/' && path.startsWith(`${each}/`))
  if (home !== undefined) return path.slice(home.length + 1)
  return /^\/(?:root|home\/[^/]+|Users\/[^/]+)\/(.+)$/.exec(path)?.[1]
}

/** Every protected path that can be listed. Patterns in a target are matched against these. */
export function protectedPaths(ground: ProtectedRoots): readonly string[] {
  const above = [...ground.projects, ...ground.homes].flatMap(withAncestors)
  const main = ground.homes.flatMap((home) => [...HOME_FOLDERS].map((name) => `${home}/${name}`))
  return [...new Set([...above, ...SYSTEM_TREES, ...SYSTEM_FOLDERS, ...TEMPORARY, ...main])]
}

/**
 * If a project or a temporary folder is below a system folder, the agent may delete files inside it. The home folder
 * is never a temporary folder.
 */
function isOwn(path: string, ground: ProtectedRoots): boolean {
  return isInProject(path, ground) || isTemporary(path, ground)
}

export function isTemporary(path: string, ground: ProtectedRoots): boolean {
  if (ground.homes.some((home) => isInside(path, home))) return false
  return TEMPORARY.some((folder) => path !== folder && isInside(path, folder))
}

/** A session that was started in `/`, `/etc` or the home folder does not make that folder a project. */
export function isInProject(path: string, ground: ProtectedRoots): boolean {
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
