import { isObject, type Json, type JsonObject, textAt } from '../../../core/json.ts'
import type { Find, SourcePlaces } from '../source.ts'

/** More plugins than any real installation has. */
const PLUGINS_MAX = 500

type Read = (path: string) => string | undefined

/**
 * The hook files of every plugin that is installed and enabled here. An unreadable file counts as empty. A project
 * may enable plugins, but cannot disable a plugin that the user enabled.
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

/** Settings from weakest to strongest: the last value counts. */
function enabledPlugins(
  files: readonly string[],
  read: Read,
  before: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const enabled = new Set(before)
  for (const file of files) {
    const said = readJson(file, read)?.enabledPlugins
    for (const [name, value] of Object.entries(isObject(said) ? said : {})) {
      // A list of versions enables a plugin too.
      if (value === false || value === null) enabled.delete(name)
      else enabled.add(name)
    }
  }
  return enabled
}

/** One installation for each scope or, in older files, a single one. Those of other projects do not count. */
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

/** A manifest may only name files of its own plugin. A star would be read as a pattern. */
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
