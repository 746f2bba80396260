import { chmodSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_ID } from '../core/build-id.ts'
import { asHoldpointError, good, HoldpointError, type Result } from '../core/errors.ts'
import { isOlderVersion, VERSION } from '../core/version.ts'
import { controlDaemon } from '../daemon/client.ts'
import { notedPids, PID } from '../daemon/run-folder.ts'
import type { Home } from '../system/home.ts'
import { readNodeLocation, writeNodeLocation } from '../system/installs.ts'
import { locateNode } from '../system/node-location.ts'
import { unwritable } from '../system/owned-file.ts'
import { wordsOfProcess } from '../system/platform/processes.ts'
import { writePrograms } from '../system/programs.ts'
import { readRegularText } from '../system/regular-file.ts'
import { currentRuntime, type InstalledCopy, installRuntime, pruneRuntimes } from '../system/runtime.ts'
import { isOwnedByRoot } from '../system/signatures.ts'
import { stopDaemon } from './daemon.ts'

/**
 * The part of `init` that makes hooks independent of the npm package: Holdpoint's own copy and the programs
 * in its home.
 */
export interface OwnCopy extends InstalledCopy {
  readonly client: 'native' | 'node'
  /** What was installed before, if it was another build. */
  readonly before: InstalledCopy | undefined
}

/** Fails if this build may not replace the installed one. */
export function checkDowngrade(home: Home, options: { readonly downgrade?: boolean }): void {
  const before = currentRuntime(home)
  if (before === undefined || options.downgrade === true || !isOlderVersion(VERSION, before.version)) return
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    message: `Holdpoint ${before.version} is installed, and this version, ${VERSION}, is older.`,
    fix: `Run \`npx holdpoint@${before.version} init\`, or pass --downgrade to install the older version. Nothing was changed.`,
  })
}

/** Whether this is another build than the hooks start now. */
export function isOtherBuild(home: Home): boolean {
  const copy = currentRuntime(home)
  return copy !== undefined && copy.build !== BUILD_ID
}

/** Whether this is another Node than the hooks start now: not one of root, nor of the same manager of versions. */
export function isOtherNode(home: Home): boolean {
  const noted = readNodeLocation(home.installs)
  const node = process.execPath
  if (noted === undefined || noted.node === node || isOwnedByRoot(node)) return false
  return !noted.others.some((pattern) => {
    const [before = '', after = ''] = pattern.split('*')
    return node.startsWith(before) && node.endsWith(after)
  })
}

const CLIENT_MAX_BYTES = 2 * 1024 * 1024

/** Throws if the disk is not writable. */
export function installOwnCopy(
  home: Home,
  options: { readonly downgrade?: boolean; readonly keepsOwn?: boolean } = {},
): OwnCopy {
  checkDowngrade(home, options)
  const before = currentRuntime(home)
  if (options.keepsOwn === true && before !== undefined) {
    // The client is a program, the launcher a text.
    const isScript = readRegularText(home.hookProgram, CLIENT_MAX_BYTES)?.startsWith('#!') === true
    return { ...before, before: undefined, client: isScript ? 'node' : 'native' }
  }
  const installed = install(home)
  if (!installed.ok) throw new HoldpointError(installed.problem)
  return { ...installed.value, before: before?.build === installed.value.build ? undefined : before }
}

function install(home: Home): Result<InstalledCopy & Pick<OwnCopy, 'client'>> {
  try {
    mkdirSync(home.folder, { recursive: true, mode: 0o700 })
    // Anyone who can write here can change what Holdpoint stops.
    chmodSync(home.folder, 0o700)
    const runtime = installRuntime(home)
    const client = writePrograms(home, process.execPath)
    const noted = writeNodeLocation(home.installs, locateNode(process.execPath))
    return noted.ok ? good({ ...runtime, client }) : noted
  } catch (error) {
    const known = asHoldpointError(error)
    if (known !== undefined) return { ok: false, problem: known.problem }
    return unwritable(error, home.folder, 'choose another folder with --home DIR; nothing was installed')
  }
}

const ANSWER_MAX_MS = 2_000

/**
 * A daemon of another build exits when it sees that the copy was switched. A daemon from before there was a
 * copy does not check, so it is stopped.
 */
export async function stopOldDaemon(home: Home, { build }: InstalledCopy): Promise<void> {
  const reply = await controlDaemon(home.run, '#status', ANSWER_MAX_MS)
  if (reply !== undefined && !reply.stdout.includes(JSON.stringify(build))) await stopDaemon(home)
}

/** Deletes copies that nothing uses any more: once nothing can fail that would need them. */
export function removeOldBuilds(home: Home): void {
  const commands = notedPids(home.run).map(wordsOfProcess)
  // Which build it is does not stand in its words. One that was started before the switch is not of the current one.
  const isUnknown = commands.some((each) => each.includes(CURRENT_PATH)) && !isStartedSince(home)
  pruneRuntimes(home, (folder) => isUnknown || commands.some((each) => namesFolder(each, folder)))
}

const CURRENT_PATH = '/runtime/current/'

/** Whether the daemon noted itself after the current copy was switched to. */
function isStartedSince(home: Home): boolean {
  const [noted, switched] = [join(home.run, PID), join(home.runtime, 'current')].map((path) =>
    lstatSync(path, { throwIfNoEntry: false }),
  )
  return noted !== undefined && switched !== undefined && noted.mtimeMs > switched.mtimeMs
}

/** By the path that was given, or by the real one. */
function namesFolder(command: string, folder: string): boolean {
  return [folder, realpathSync.native(folder)].some((path) => command.includes(path))
}
