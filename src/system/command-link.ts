import { accessSync, constants, lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Home } from './home.ts'

/**
 * The `holdpoint` command for people and agents. `npx` leaves nothing on PATH, so `init` creates a link to the installed
 * command in a folder of the user that is already on PATH.
 */
export interface CommandOnPath {
  /** The `holdpoint` that a shell finds; undefined if it finds none. */
  readonly path: string | undefined
  /** Whether `init` has just created it. */
  readonly linked: boolean
}

/** Folders in the home in which users keep their own programs. */
const OWN_FOLDERS = ['.local/bin', 'bin']

export function linkCommand(home: Home, path: string | undefined): CommandOnPath {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '' && !isOfPackage(folder))
  const there = folders.map((folder) => join(folder, 'holdpoint')).find(isProgram)
  if (there !== undefined) return { path: there, linked: false }
  const own = OWN_FOLDERS.map((name) => join(home.user, name)).find((folder) => folders.includes(folder))
  if (own === undefined) return { path: undefined, linked: false }
  const link = join(own, 'holdpoint')
  try {
    // A broken link is from an installation that was deleted by hand.
    if (isOurs(link, home)) rmSync(link)
    symlinkSync(home.command, link)
    return { path: link, linked: true }
  } catch {
    return { path: undefined, linked: false }
  }
}

export function unlinkCommand(home: Home): void {
  for (const name of OWN_FOLDERS) {
    const link = join(home.user, name, 'holdpoint')
    if (isOurs(link, home)) rmSync(link)
  }
}

/** `npx` and `npm run` put these first, for as long as they run. */
function isOfPackage(folder: string): boolean {
  return /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isOurs(link: string, home: Home): boolean {
  return (
    lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true &&
    readlinkSync(link) === home.command
  )
}
