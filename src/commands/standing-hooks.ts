import { existsSync } from 'node:fs'
import type { InstallPlaces } from '../core/host.ts'
import type { Installer } from '../hosts/installer.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { readInstalls } from '../system/installs.ts'
import { type Agent, pluginOf, readIfThere } from '../tools/status/agents.ts'

/**
 * Hooks of Holdpoint that stand in the files of agents. Which home a command names, and what that home has on record, is
 * the choice of whoever types it; these files say what is protected now, and by which home.
 */

/** The homes that the entries of a text start from. Those of a whole project name none. */
function homesIn(installer: Installer, text: string): readonly string[] {
  const entries = installer.entries(text)
  if (!entries.ok) return []
  const named = entries.value.flatMap(({ command, args }) => {
    const line = args === undefined ? command : [command, ...args].map((word) => `'${word}'`).join(' ')
    return /'?--home'?[ =]'((?:[^']|'\\'')+)'/.exec(line)?.[1]?.replaceAll("'\\''", "'") ?? []
  })
  return [...new Set(named)]
}

/**
 * The home whose person must agree to a change of these files: the one that their hooks start from. A home that is only
 * named by the command, with a PIN of its own, agrees to nothing. Undefined: no hooks of Holdpoint stand there.
 */
export function standingHome(
  files: readonly { readonly installer: Installer; readonly file: string }[],
  home: Home,
): Home | undefined {
  const texts = files.map(({ installer, file }) => ({ installer, text: readIfThere(file) ?? '' }))
  const named = texts.flatMap(({ installer, text }) => homesIn(installer, text))
  const [other] = named.filter((folder) => folder !== home.folder)
  if (other !== undefined) return homeLayout(other, {})
  const hasHooks = texts.some(({ installer, text }) => {
    const entries = installer.entries(text)
    return entries.ok && entries.value.length > 0
  })
  return hasHooks ? home : undefined
}

/** Homes whose hooks would be replaced by those of this one, or that this one does not know it has. */
export function replacedHomes(
  agents: readonly { readonly agent: Agent; readonly before: string | undefined }[],
  home: Home,
  where: InstallPlaces,
): readonly string[] {
  const isRecorded = readInstalls(home.installs).length > 0
  const named = agents.flatMap(({ agent, before }) => [
    ...homesIn(agent.installer, before ?? ''),
    ...(pluginOf(agent, where)?.pointers ?? []).flatMap((file) => readIfThere(file)?.trim() || []),
  ])
  return [...new Set(named)].filter((folder) => folder !== home.folder || !isRecorded)
}

/** Whether anything is left of a home: without its program every hook of it blocks. */
export function isHomeThere(folder: string): boolean {
  return existsSync(homeLayout(folder, {}).hookProgram)
}
