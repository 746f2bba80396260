import { isObject, type Json, type JsonObject, textAt } from '../../json.ts'
import type { Find, SourcePlaces } from '../source.ts'

/** More plugins than anybody has. */
const PLUGINS_MAX = 500

type Read = (path: string) => string | undefined

/**
 * The hook files of every plugin that is installed and enabled here. A file that says nothing readable has none. A
 * project may ask for plugins, never switch off what the person switched on.
 */
export function finds({ project, home }: SourcePlaces, read: Read): readonly Find[] {
  const installed = readJson(`${home}/.claude/plugins/installed_plugins.json`, read)?.plugins
  if (!isObject(installed)) return []
  const own = enabledPlugins([`${home}/.claude/settings.json`], read)
  const here = [`${project}/.claude/settings.json`, `${project}/.claude/settings.local.json`]
  const asked = new Set([...own, ...enabledPlugins(here, read)])
  const enabled = enabledPlugins(['/etc/claude-code/managed-settings.json'], read, asked)
  return Object.entries(installed)
    .filter(([name]) => enabled.has(name))
    .slice(0, PLUGINS_MAX)
    .flatMap(([, installs]) => folderOf(installs, project) ?? [])
    .flatMap((folder) => hookFiles(folder, read))
}

/** Settings from the weakest to the strongest: the last word counts. */
function enabledPlugins(
  files: readonly string[],
  read: Read,
  before: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const enabled = new Set(before)
  for (const file of files) {
    const said = readJson(file, read)?.enabledPlugins
    for (const [name, value] of Object.entries(isObject(said) ? said : {})) {
      // Besides true, a list of versions switches a plugin on.
      if (value === false || value === null) enabled.delete(name)
      else enabled.add(name)
    }
  }
  return enabled
}

/** One install per scope, or, in older files, one alone. Those of another project do not count. */
function folderOf(installs: Json, project: string): string | undefined {
  const list: readonly Json[] = Array.isArray(installs) ? installs : [installs]
  const here = list.filter(isObject).filter((install) => {
    return install.projectPath === undefined || install.projectPath === project
  })
  const nearest = here.find((install) => install.projectPath === project) ?? here[0]
  const folder = nearest && textAt(nearest, 'installPath')
  return folder?.startsWith('/') === true && !folder.includes('\0') ? folder.replace(/\/+$/, '') : undefined
}

function hookFiles(root: string, read: Read): readonly Find[] {
  const at = (folder: string, name: string): Find => {
    return { folder, name, rank: 'plugin', root, exceptHost: 'claude-code' }
  }
  const manifest = readJson(`${root}/.claude-plugin/plugin.json`, read)?.hooks
  const named = (Array.isArray(manifest) ? manifest : [manifest]).flatMap((path) => {
    return typeof path === 'string' ? (insideOf(root, path) ?? []) : []
  })
  return [
    at(`${root}/hooks`, 'hooks.json'),
    ...(isObject(manifest) ? [at(`${root}/.claude-plugin`, 'plugin.json')] : []),
    ...named.map((path) => at(path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1))),
  ]
}

/** A manifest names files of its own plugin only. A star would be read as a pattern. */
function insideOf(root: string, path: string): string | undefined {
  const steps = path.replace(/^\.\//, '').split('/')
  const isPlain = steps.every((step) => step !== '' && step !== '..' && step !== '.' && !/[*\0]/.test(step))
  return isPlain ? [root, ...steps].join('/') : undefined
}

function readJson(path: string, read: Read): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(read(path) ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
