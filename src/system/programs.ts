import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { writeWhole } from './files.ts'
import type { Home } from './home.ts'
import { locateNode } from './node-location.ts'
import { packageRoot } from './package.ts'
import { launcherText, PROJECT_LAUNCHER_TEXT } from './program-text.ts'

/**
 * Writes the programs that agents and users start, at paths that never change, so that an agent that trusts commands by
 * their text keeps trusting them across versions. `holdpoint-hook` is the native client if there is one for this
 * machine, otherwise a few lines of sh that start Node; the answers are the same. Without arguments, as agents without
 * support for `args` start it, either of them exits with 2.
 */
export function writePrograms(home: Home, node: string): 'native' | 'node' {
  mkdirSync(dirname(home.hookProgram), { recursive: true, mode: 0o700 })
  chmodSync(dirname(home.hookProgram), 0o700)
  const location = locateNode(node)
  writeProgram(home.nodeProgram, launcherText({ home: home.folder, location }))
  writeProgram(home.command, launcherText({ home: home.folder, location, program: 'holdpoint' }))
  checkStarts(home.nodeProgram)
  if (writeClient(home.hookProgram)) return 'native'
  writeProgram(home.hookProgram, launcherText({ home: home.folder, location, program: 'hook' }))
  return 'node'
}

/**
 * Whether the client of this platform is in the package and really runs where it is needed: another processor, an old
 * kernel or a folder without programs keeps it from that.
 */
function writeClient(path: string): boolean {
  if (!existsSync(ownClient())) return false
  // Renamed, because the old program may be running.
  const waiting = `${path}.${process.pid}`
  try {
    copyFileSync(ownClient(), waiting)
    chmodSync(waiting, 0o755)
    // A program of another processor is given to a shell, which also ends with 2: only the client names itself.
    const { status, stderr } = spawnSync(waiting, { env: {}, encoding: 'utf8' })
    if (status !== 2 || !stderr.startsWith('holdpoint: ')) return false
    renameSync(waiting, path)
    return true
  } finally {
    rmSync(waiting, { force: true })
  }
}

/** Why each hook starts Node, for a person who gets no native client. */
export function whyNoClient(): string {
  const platform = `${process.platform} on ${process.arch}`
  return existsSync(ownClient())
    ? `The native client for ${platform} does not start on this machine`
    : `There is no native client for ${platform}`
}

/** Where nothing can be started, an agent would find no hook, and most agents then run every call. */
function checkStarts(program: string): void {
  const { error } = spawnSync(program, { env: {}, stdio: 'ignore' })
  if (error === undefined) return
  throw new HoldpointError({
    code: 'STATE_UNWRITABLE',
    file: program,
    message: `A program in this folder cannot be started (${errorCode(error)}).`,
    fix: 'Is its file system mounted with noexec? Choose another folder with --home DIR; nothing was installed.',
  })
}

function errorCode(error: Error): string {
  return 'code' in error ? String(error.code) : error.message
}

/** The name of a platform's client in `dist/native`. */
export function clientName(platform: string, arch: string): string {
  return `holdpoint-hook-${platform}-${arch}`
}

function ownClient(): string {
  return join(packageRoot(), 'dist', 'native', clientName(process.platform, process.arch))
}

export function removePrograms(home: Home): void {
  for (const program of [home.hookProgram, home.nodeProgram, home.command]) rmSync(program, { force: true })
}

function writeProgram(path: string, text: string): void {
  writeWhole(path, text, 0o755)
  chmodSync(path, 0o755)
}

/**
 * The launcher that a project commits. It starts the Holdpoint of each user, and says how to install it on a machine
 * without it. What it denies then depends on the `--on-failure` of the hook.
 */
export function writeLauncher(path: string): void {
  writeProgram(path, PROJECT_LAUNCHER_TEXT)
}
