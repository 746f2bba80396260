import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstallPlaces } from '../core/host.ts'
import { installProblem } from '../hosts/install-check.ts'
import type { Installer } from '../hosts/installer.ts'
import { INSTALLERS } from '../hosts/installers.ts'
import { isFolder } from '../system/file-kind.ts'
import type { Home } from '../system/home.ts'
import { type Install, isInstallListBroken, readInstalls } from '../system/installs.ts'
import { packageRoot } from '../system/package.ts'
import { readRegularText } from '../system/regular-file.ts'
import { contentHash } from '../system/trust.ts'
import type { ConfigScope } from './places.ts'

/** The current state of the installed hooks. Made with the plan, so that an event only needs one stat for each file. */
export interface InstalledHooks {
  readonly installs: readonly CheckedInstall[]
  /** Settings of this project or user that switch the hooks of an agent off. */
  readonly switchedOff: readonly SwitchedOff[]
  /** All files that were checked, whether they exist or not. */
  readonly files: readonly string[]
}

export interface CheckedInstall {
  readonly host: string
  readonly scope: string
  readonly file: string
  readonly entries: number
  readonly http?: boolean
  /** What is wrong with it, as the end of a sentence after the file's name. Missing if it is as it was written. */
  readonly wrong?: string
}

export interface SwitchedOff {
  readonly host: string
  readonly file: string
  readonly wrong: string
}

/** Compares what agents would read now with what `init` wrote. */
export async function readInstalledHooks({ home, project }: ConfigScope): Promise<InstalledHooks> {
  const known = readInstalls(home.installs)
  const installers = new Map(
    await Promise.all(
      [...new Set(known.map(({ host }) => host))].flatMap((host) => {
        const load = Object.hasOwn(INSTALLERS, host) ? INSTALLERS[host] : undefined
        return load === undefined ? [] : [load().then(({ installer }) => [host, installer] as const)]
      }),
    ),
  )
  const installs = known.flatMap((install): CheckedInstall[] => {
    const installer = installers.get(install.host)
    return installer === undefined ? [] : [checked(install, installer, home)]
  })
  const governing = [...installers].flatMap(([host, installer]) => {
    const files = places(installer, known, home, project).flatMap((where) =>
      (installer.governing?.(where) ?? []).map((file) => [file, where] as const),
    )
    return [...new Map(files)].map(([file, where]) => ({ host, installer, file, where }))
  })
  if (isInstallListBroken(home.installs)) installs.push(...unknownInstalls(home))
  const files = [...new Set([...installs, ...governing].map(({ file }) => file))]
  return { installs, switchedOff: governing.flatMap((each) => switchedOff(each, known)), files }
}

/** Without the list it is unknown whether the hooks are as they were written. That is reported for every agent. */
function unknownInstalls(home: Home): readonly CheckedInstall[] {
  const wrong = 'cannot be read, so it is unknown which hooks were installed'
  return Object.keys(INSTALLERS).map((host) => ({
    ...{ host, scope: 'managed', file: home.installs, entries: 0, wrong },
  }))
}

function checked(install: Install, installer: Installer, home: Home): CheckedInstall {
  const { host, scope, file, entries, marks, http } = install
  const wrong = installProblem({
    ...{ installer, text: readSettingsText(file), marks, entries, sha256: contentHash },
    program: scope === 'project' ? undefined : home.hookProgram,
  })
  return {
    ...{ host, scope, file, entries },
    ...(http === true ? { http } : {}),
    ...(wrong === undefined ? {} : { wrong }),
  }
}

/**
 * The real paths of everything that Holdpoint runs from: its home and the settings with hooks may be links (of users who
 * keep their settings in a repository), and the program may run from a checkout.
 */
export function realPlaces(home: Home, installs: readonly CheckedInstall[]): RealPlaces {
  const built = join(packageRoot(), 'dist')
  const own = [home.folder, home.hookProgram, home.nodeProgram, home.command, home.runtime, built]
  return {
    own: [...new Set([...own.flatMap(real), ...real(join(packageRoot(), 'package.json'))])],
    agent: [...new Set(installs.flatMap(({ file }) => real(file)))],
  }
}

export interface RealPlaces {
  readonly own: readonly string[]
  readonly agent: readonly string[]
}

function real(path: string): readonly string[] {
  try {
    return [realpathSync(path)]
  } catch {
    return []
  }
}

/** The agent's own folder: where hooks were installed, otherwise the default. */
function places(
  installer: Installer,
  known: readonly Install[],
  home: Home,
  project: string,
): readonly InstallPlaces[] {
  const folders = known
    .filter((each) => each.host === installer.host && each.scope === 'user')
    .map(({ file }) => dirname(file))
  const { folderVariable } = installer
  const moved = folderVariable === undefined ? [] : folders.map((folder) => ({ [folderVariable]: folder }))
  return (moved.length === 0 ? [{}] : moved).map((env) => ({ project, home: home.user, env }))
}

interface Governing {
  readonly host: string
  readonly installer: Installer
  readonly file: string
  readonly where: InstallPlaces
}

function switchedOff(
  { host, installer, file, where }: Governing,
  known: readonly Install[],
): readonly SwitchedOff[] {
  const text = readSettingsText(file) ?? (isFolder(file) ? '' : undefined)
  if (text === undefined) return []
  const isAsked = known.some((each) => each.host === host && each.http === true)
  const [diverted] = isAsked ? (installer.httpWarnings?.(text) ?? []) : []
  const wrong =
    installer.switchesOff?.(text, file, where) ?? (diverted === undefined ? undefined : `says: ${diverted}`)
  return wrong === undefined ? [] : [{ host, file, wrong }]
}

/** More than any agent reads. */
const SETTINGS_MAX_BYTES = 4 * 1024 * 1024

/** Regular files only: reading a pipe, a device or a file of /proc instead of settings would block. */
function readSettingsText(file: string): string | undefined {
  return readRegularText(file, SETTINGS_MAX_BYTES)
}
