import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  if (writeClient(home.hookProgram)) return 'native'
  writeProgram(home.hookProgram, launcherText({ home: home.folder, location, program: 'hook' }))
  return 'node'
}

/**
 * Whether the client of this platform is in the package and really runs where it is needed: another processor, an old
 * kernel or a folder without programs keeps it from that.
 */
function writeClient(path: string): boolean {
  const client = join(packageRoot(), 'dist', 'native', clientName(process.platform, process.arch))
  if (!existsSync(client)) return false
  // Renamed, because the old program may be running.
  const waiting = `${path}.${process.pid}`
  try {
    copyFileSync(client, waiting)
    chmodSync(waiting, 0o755)
    if (spawnSync(waiting, { env: {} }).status !== 2) return false
    renameSync(waiting, path)
    return true
  } finally {
    rmSync(waiting, { force: true })
  }
}

/** The name of a platform's client in `dist/native`. */
export function clientName(platform: string, arch: string): string {
  return `holdpoint-hook-${platform}-${arch}`
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
