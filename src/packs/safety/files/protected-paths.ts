import { isInside } from '../../../shell/paths.ts'

/** Folders whose loss is not a mistake one undoes. Paths are absolute and resolved; nothing here reads the disk. */
export interface Ground {
  /** As written and with links resolved. */
  readonly homes: readonly string[]
  readonly projects: readonly string[]
}

/** What the folder is, when it must not be deleted as a whole; undefined when it may. */
export function protectedAs(path: string, ground: Ground): string | undefined {
  if (path === '/') return 'the whole file system'
  if (ground.homes.includes(path)) return 'the home folder'
  if (ground.projects.includes(path)) return 'the project folder'
  if (ground.projects.some((project) => isInside(project, path))) return 'a folder that holds the project'
  if (ground.homes.some((home) => isInside(home, path))) return 'a folder that holds the home folder'
  if (TEMPORARY.has(path)) return 'the shared temporary folder'
  if (isOwn(path, ground)) return undefined
  if (SYSTEM_FOLDERS.includes(path) || isSystemTree(path)) return 'a system folder'
  if (/^\/(home|Users|Volumes|mnt|media)\/[^/]+$/.test(path)) return 'a whole home folder or volume'
  const inHome = ground.homes.find((home) => isInside(path, home))
  if (inHome !== undefined && HOME_FOLDERS.has(path.slice(inHome.length + 1)))
    return 'a main folder of the home folder'
  return undefined
}

/** Part of the system: not even some of what is in it may go. */
export function isSystemTree(path: string): boolean {
  if ([...TEMPORARY].some((folder) => isInside(path, folder))) return false
  return SYSTEM_TREES.some((tree) => isInside(path, tree)) && !OPEN_TREES.some((open) => open.test(path))
}

/** Every protected path that can be listed: what a pattern in a target is matched against. */
export function protectedPaths(ground: Ground): readonly string[] {
  const above = [...ground.projects, ...ground.homes].flatMap(withAncestors)
  const main = ground.homes.flatMap((home) => [...HOME_FOLDERS].map((name) => `${home}/${name}`))
  return [...new Set([...above, ...SYSTEM_TREES, ...SYSTEM_FOLDERS, ...TEMPORARY, ...main])]
}

const TEMPORARY: ReadonlySet<string> = new Set([
  '/tmp',
  '/var/tmp',
  '/private/tmp',
  '/private/var/tmp',
  '/dev/shm',
])

/** Protected with everything in them. */
const SYSTEM_TREES: readonly string[] = [
  ...[
    '/bin',
    '/boot',
    '/dev',
    '/etc',
    '/lib',
    '/lib32',
    '/lib64',
    '/libx32',
    '/proc',
    '/sbin',
    '/sys',
    '/usr',
    '/var',
  ],
  ...['/System', '/Library', '/private/etc', '/nix', '/snap'],
]

/** Places in the trees above that programs and people keep their own things in. */
const OPEN_TREES: readonly RegExp[] = [
  /^\/usr\/local\/[^/]+\/./,
  /^\/usr\/src\/./,
  /^\/var\/(cache|folders|www)\/./,
]

/** Protected themselves; what is in them is not. */
const SYSTEM_FOLDERS: readonly string[] = [
  ...[
    '/home',
    '/Users',
    '/root',
    '/opt',
    '/run',
    '/srv',
    '/mnt',
    '/media',
    '/Applications',
    '/Volumes',
    '/private',
  ],
]

const HOME_FOLDERS: ReadonlySet<string> = new Set([
  ...['Desktop', 'Documents', 'Downloads', 'Library', 'Movies', 'Music', 'Pictures', 'Public', 'Videos'],
  ...['.aws', '.config', '.gnupg', '.kube', '.local', '.local/share', '.ssh'],
])

/**
 * The project and the temporary folders may lie below a system folder; what is inside them is the agent's to delete.
 * A session started in `/`, in `/etc` or in the home folder does not make all of that a project.
 */
function isOwn(path: string, ground: Ground): boolean {
  const projects = ground.projects.filter((project) => {
    const system = project === '/' || SYSTEM_TREES.includes(project) || SYSTEM_FOLDERS.includes(project)
    return !system && !ground.homes.some((home) => isInside(home, project))
  })
  return [...TEMPORARY, ...projects].some((folder) => isInside(path, folder))
}

function withAncestors(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '')
  return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)]
}
