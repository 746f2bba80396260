import type { InstallPlaces } from '../../core/host.ts'
import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import type { FoundPlugin, InstallScope, SwitchQuery } from '../installer.ts'
import { entries } from './entries.ts'
import { pluginList, pluginsFolder, settingsFile } from './places.ts'
import { withPluginFolders } from './plugin-hooks.ts'

/** Our plugin in Claude Code's own files, as seen on 2.1.325. */

const NAME = 'holdpoint'
/** The marketplace in our repository. */
const OWN_MARKETPLACE = 'holdpoint'

type Read = SwitchQuery['read']

export function findPlugin({ where, read }: SwitchQuery): FoundPlugin | undefined {
  const folder = pluginsFolder(where)
  const { plugins } = parse(read(pluginList(where)))
  if (!isObject(plugins)) return undefined
  for (const [id, installs] of Object.entries(plugins)) {
    const [name, marketplace = ''] = id.split('@')
    const install = name === NAME ? installHere(installs, where) : undefined
    if (install === undefined) continue
    const root = folderOf(marketplace, folder, read) ?? textAt(install, 'installPath') ?? ''
    const data = `${folder}/data/${NAME}-${marketplace}`
    const { decidedIn, enabled } = switchOf(id, where, read)
    const hooks = entries(withPluginFolders(read(`${root}/hooks/hooks.json`) ?? '', root, data))
    return {
      id,
      version: textAt(install, 'version') ?? 'unknown version',
      root,
      pointers: pointersOf(folder, marketplace),
      enabled,
      decidedIn,
      entries: hooks.ok ? hooks.value : [],
    }
  }
  return undefined
}

/** Claude Code names the plugin's own data folder to its hooks; other programs of the plugin look in the usual one. */
function pointersOf(folder: string, marketplace: string): readonly string[] {
  const names = new Set([marketplace, OWN_MARKETPLACE])
  return [...names].map((each) => `${folder}/data/${NAME}-${each}/home`)
}

/** Installed for the user, or for this project. */
function installHere(installs: Json | undefined, { project }: InstallPlaces): JsonObject | undefined {
  const list = Array.isArray(installs) ? installs.filter(isObject) : []
  return list.find(({ scope, projectPath }) => scope === 'user' || projectPath === project)
}

/** A marketplace that is a folder is not copied: the plugin runs from there. */
function folderOf(marketplace: string, folder: string, read: Read): string | undefined {
  const known = parse(read(`${folder}/known_marketplaces.json`))[marketplace]
  if (!isObject(known) || !isObject(known.source) || known.source.source !== 'directory') return undefined
  const location = textAt(known, 'installLocation') ?? ''
  const { plugins } = parse(read(`${location}/.claude-plugin/marketplace.json`))
  const listed = Array.isArray(plugins)
    ? plugins.filter(isObject).find(({ name }) => name === NAME)
    : undefined
  const source = listed === undefined ? undefined : textAt(listed, 'source')
  return source === undefined ? undefined : `${location}/${source.replace(/^\.\//, '')}`
}

/** The strongest settings decide: those of this checkout, of the project, then of the user. */
const STRONGEST_FIRST: readonly InstallScope[] = ['local', 'project', 'user']

function switchOf(id: string, where: InstallPlaces, read: Read): Pick<FoundPlugin, 'enabled' | 'decidedIn'> {
  for (const scope of STRONGEST_FIRST) {
    const file = settingsFile(scope, where)
    const { enabledPlugins } = parse(read(file))
    const value = isObject(enabledPlugins) ? enabledPlugins[id] : undefined
    if (typeof value === 'boolean') return { enabled: value, decidedIn: file }
  }
  return { enabled: false, decidedIn: undefined }
}

function parse(text: string | undefined): JsonObject {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
