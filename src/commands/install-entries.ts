import { dirname, join } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { entryMarks } from '../hosts/install-check.ts'
import {
  type HttpAddress,
  type InstallOptions,
  type InstallScope,
  PROJECT_LAUNCHER,
} from '../hosts/installer.ts'
import type { Home } from '../system/home.ts'
import {
  type Install,
  missingFolders,
  readInstalls,
  removeMadeFolders,
  sameInstall,
  updateInstalls,
} from '../system/installs.ts'
import { removeOwnFiles, writeOwnFiles } from '../system/own-files.ts'
import { writeLauncher } from '../system/programs.ts'
import { findProject } from '../system/project.ts'
import { installSettings } from '../system/settings-file.ts'
import { contentHash } from '../system/trust.ts'
import { type Agent, places, readIfThere } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import { modeOf, reopen } from './http-mode.ts'

/** Where hooks are written, and for whom. */
interface Place {
  readonly file: string
  readonly scope: string
}

/** Writes Holdpoint's hooks into a settings file of an agent, and notes the file. */
export function installEntries(
  caller: Caller,
  { installer, program }: Agent,
  { file, scope }: Place,
  home: Home,
  address: HttpAddress | undefined,
  askWaitMs: number,
): Install {
  const portable = (scope as InstallScope) === 'project'
  if (portable) writeLauncher(join(findProject(dirname(dirname(file))), PROJECT_LAUNCHER))
  const http = installer.httpSince === undefined ? undefined : address
  const noted: Install = { host: installer.host, scope, file, entries: installer.events.length }
  const earlier = readInstalls(home.installs).find((each) => sameInstall(each, noted))
  const own =
    installer.ownFiles?.(places(findProject(caller.cwd), caller.env), optionsFor(home, program)) ?? {}
  const foldersMade = [
    ...(earlier?.foldersMade ?? []),
    ...[file, ...Object.keys(own)].flatMap(missingFolders),
  ]
  const plain: Install =
    foldersMade.length === 0 ? noted : { ...noted, foldersMade: [...new Set(foldersMade)] }
  const modeBefore = earlier?.http === true ? earlier.modeBefore : modeOf(file)
  const mode = modeBefore === undefined ? {} : { modeBefore }
  const install = http === undefined ? plain : { ...plain, http: true, ...mode }
  // Noted first: `uninstall` could not find hooks in a file that was never noted.
  note(home, install, [install])
  const isOwn = (text: string) => installer.isOwnFile?.(text) === true
  const files = writeOwnFiles(own, isOwn)
  const written = files.ok
    ? installSettings(file, installer, {
        ...optionsFor(home, program),
        portable,
        askWaitMs,
        ...(http === undefined ? {} : { http }),
      })
    : files
  if (!written.ok) {
    if (earlier === undefined) {
      removeOwnFiles(own, isOwn)
      removeMadeFolders(plain)
    }
    note(home, install, earlier === undefined ? [] : [earlier])
    throw new HoldpointError({ file, ...written.problem })
  }
  if (earlier?.http === true && http === undefined) reopen(earlier)
  const marked = { ...install, ...marksOf(file) }
  note(home, install, [marked])
  return marked
}

/** What every hook of a home is written with. */
export function optionsFor(home: Home, program: Agent['program']): InstallOptions {
  return { command: home.hookProgram, home: home.folder, version: program?.version }
}

/** What the agent reads there now is what it must read there later. */
function marksOf(file: string): Pick<Install, 'marks'> {
  const found = [...entryMarks(readIfThere(file) ?? '', contentHash)]
  const marks = found.flatMap(([event, each]) => [...each].map((mark) => [event, mark] as const))
  return marks.length === 0 ? {} : { marks: Object.fromEntries(marks) }
}

/** Replaces what is noted of the same file with `by`. */
function note(home: Home, install: Install, by: readonly Install[]): void {
  const noted = updateInstalls(home.installs, (all) => [
    ...all.filter((each) => !sameInstall(each, install)),
    ...by,
  ])
  if (!noted.ok) throw new HoldpointError(noted.problem)
}
