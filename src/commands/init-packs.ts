import { dirname, join } from 'node:path'
import { ownSource } from '../config/read-layer.ts'
import type { PackChanges } from '../config/sources/source.ts'
import { HoldpointError } from '../core/errors.ts'
import { wordSet } from '../core/word-list.ts'
import type { InstallScope } from '../hosts/installer.ts'
import { writeWhole } from '../system/files.ts'
import type { Home } from '../system/home.ts'
import type { Install } from '../system/installs.ts'
import { readSettings } from '../system/settings-file.ts'
import { contentHash } from '../system/trust.ts'
import { addTrust, readTrust } from '../system/trust-file.ts'
import { readIfThere } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import { isPersonHere, personSigner } from './person.ts'
import { recordPerson } from './person-record.ts'
import { say } from './screen.ts'

/** A configuration file, before and after a choice of packs. */
export interface PolicyChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string
}

/**
 * The person's choice is in Holdpoint's home, where no stash or checkout of a work tree reaches it. A project that
 * shares its hooks shares the choice too; there it can only add. Packs about how agents work together are chosen for
 * one project, unless the hooks are for all of them.
 */
export async function planPacks(
  changes: PackChanges,
  scope: InstallScope,
  project: string,
  home: Home,
): Promise<readonly PolicyChange[]> {
  const { on = [], add = [] } = changes
  const isForHere = (pack: string) => scope !== 'user' && WAYS_OF_WORKING.has(pack)
  const isOwn = (pack: string) => !isForHere(pack)
  const own = { ...changes, on: on.filter(isOwn), add: add.filter(isOwn) }
  const folder = join(project, '.holdpoint')
  const here = { on: on.filter(isForHere), add: add.filter(isForHere) }
  const planned = [
    await planFile(home.userConfig, own),
    scope === 'project'
      ? await planFile(join(folder, 'config.yaml'), { add: [...new Set([...on, ...add])] })
      : await planFile(join(folder, 'config.local.yaml'), here),
  ]
  return planned.flat()
}

/** Packs about how agents work together in one project; they protect nothing that a stash could open. */
const WAYS_OF_WORKING: ReadonlySet<string> = wordSet('mux mux-legacy collective scratchpad')

/** Writes the files. One in the project is trusted at once, unless it existed before and was not trusted. */
export async function writePacks(
  caller: Caller,
  changes: readonly PolicyChange[],
  home: Home,
): Promise<void> {
  for (const { path, before, after } of changes) {
    writeWhole(path, after)
    say(caller, `Policy: ${path}`)
    if (path !== home.userConfig) await trustOwn(caller, home, path, before, after)
  }
}

/** Nothing if the file says so already. */
async function planFile(path: string, changes: PackChanges): Promise<readonly PolicyChange[]> {
  const { on = [], add = [], off = [], options = {} } = changes
  if ([...on, ...add, ...off, ...Object.keys(options)].length === 0) return []
  const before = readSettings(path)
  if (!before.ok) throw new HoldpointError(before.problem)
  const after = (await ownSource()).withPacks?.(before.value, changes)
  if (after === undefined || !after.ok) {
    throw new HoldpointError(
      after?.problem ?? { code: 'INTERNAL', message: 'The packs cannot be written to the configuration.' },
    )
  }
  return after.value === before.value ? [] : [{ path, before: before.value, after: after.value }]
}

/** 0.1.0 wrote the choice of packs beside local hooks, into the work tree. */
export async function movePacks(caller: Caller, home: Home, installs: readonly Install[]): Promise<void> {
  const trusted = readTrust(home)
  const source = await ownSource()
  for (const { scope, file } of installs) {
    if (scope !== 'local') continue
    const path = join(dirname(dirname(file)), '.holdpoint', 'config.local.yaml')
    const text = readIfThere(path)
    if (text === undefined || trusted.get(path) !== contentHash(text)) continue
    const layer = source.parse(text, { path, rank: 'local', trusted: true, root: dirname(dirname(file)) })
    const packs = layer.ok ? layer.value.packs.filter(({ off }) => off !== true) : []
    if (packs.length > 0)
      await writePacks(caller, await planFile(home.userConfig, { add: packs.map(({ pack }) => pack) }), home)
  }
}

/** Files that Holdpoint wrote for this user are trusted at once; files that existed before are not. */
async function trustOwn(
  caller: Caller,
  home: Home,
  path: string,
  before: string | undefined,
  after: string,
): Promise<void> {
  const trusted = readTrust(home)
  if (before !== undefined && before.trim() !== '' && trusted.get(path) !== contentHash(before)) return
  if (!isPersonHere(caller, home)) {
    say(caller, `Run \`holdpoint trust\` in a terminal to trust ${path}.`)
    return
  }
  addTrust(home, new Map([[path, contentHash(after)]]), await personSigner(caller, home, {}))
  recordPerson(caller, home, 'Trust', `init wrote and trusts ${path}`)
}
