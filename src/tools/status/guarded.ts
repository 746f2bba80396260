import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { AROUND_ANSWER_MS } from '../../core/deadlines.ts'
import type { InstallPlaces } from '../../core/host.ts'
import { shellProgram } from '../../hosts/hook-entry.ts'
import type { InstalledEntry, Installer } from '../../hosts/installer.ts'
import { SCOPES } from '../../hosts/installer.ts'
import { isFolder } from '../../system/file-kind.ts'
import type { Home } from '../../system/home.ts'
import { readInstalls } from '../../system/installs.ts'
import { contentHash } from '../../system/trust.ts'
import { type Agent, pluginOf, readIfThere } from './agents.ts'

/** Whether one agent is guarded in this project, as its files say. Nothing is started to find out. */
export interface AgentGuard {
  readonly host: string
  readonly found: boolean
  readonly version?: string
  readonly guarded: boolean
  /** Nobody has seen this agent obey our hooks. */
  readonly notProved?: true
  /** The files or the plugin that its hooks come from. */
  readonly by: readonly string[]
  /** Why it is not guarded. */
  readonly because: readonly string[]
  /** What the user must do in the agent itself. */
  readonly todo: readonly string[]
  /** Files that have hooks, but that this agent does not read in this project. */
  readonly elsewhere: readonly string[]
}

/** `askWaitMs`: how long the policy lets a question wait for a person. */
export function guardOf(agent: Agent, home: Home, where: InstallPlaces, askWaitMs = 0): AgentGuard {
  const { installer, program } = agent
  const loaded = loadedFiles(installer, where)
  const hooked = loaded.flatMap((file) => hookedFile(installer, file))
  const plugin = pluginOf(agent, where)
  const reasons = hooked.flatMap(({ file, text, entries }) =>
    obstacles(installer, file, text, entries, where),
  )
  const switches = installer.switches?.({ where, read: readIfThere }) ?? []
  const off = [...switchedOffHere(installer, where), ...switches.filter((line) => ALL_OFF.test(line))]
  const working = hooked.filter(({ file }) => !reasons.some((each) => each.file === file))
  const by = [
    ...working.map(({ file }) => file),
    ...(plugin?.enabled === true ? [`plugin ${plugin.id}`] : []),
  ]
  const guarded = by.length > 0 && off.length === 0
  return {
    host: installer.host,
    found: program !== undefined,
    ...(program?.version === undefined ? {} : { version: program.version }),
    guarded,
    ...(installer.notProved === undefined ? {} : { notProved: installer.notProved }),
    by: guarded ? by : [],
    because: guarded
      ? []
      : [...new Set([...off, ...reasons.map(({ why }) => why), ...missing(hooked.length, installer)])],
    todo: guarded
      ? [...switches.filter((line) => !ALL_OFF.test(line)), ...impatient(working, installer, askWaitMs)]
      : [],
    elsewhere: readInstalls(home.installs)
      .filter((each) => each.host === installer.host && !loaded.includes(each.file))
      .map(({ file }) => file),
  }
}

/** Hooks that were written before the policy let questions wait this long end earlier than the question. */
function impatient(files: readonly HookedFile[], { host }: Installer, askWaitMs: number): readonly string[] {
  const before = files.flatMap(({ entries }) => entries).filter(({ event }) => event === 'PreToolUse')
  const deadlines = before.flatMap(({ command, args = [] }) => {
    const found = /--deadline-ms[' =]+(\d+)|deadline-ms=(\d+)/.exec([command, ...args].join(' '))
    return found === null ? [] : [Number(found[1] ?? found[2])]
  })
  const shortest = Math.min(...deadlines)
  if (askWaitMs + AROUND_ANSWER_MS <= shortest) return []
  return [
    `Questions may wait ${askWaitMs} ms, but its hooks answer within ${shortest} ms. Run \`holdpoint init --host ${host}\` to let them wait longer.`,
  ]
}

/** The files in which this agent looks for hooks in this project. */
export function loadedFiles(installer: Installer, where: InstallPlaces): readonly string[] {
  return [...new Set(SCOPES.flatMap((scope) => installer.file(scope, where) ?? []))]
}

/** Texts of installers about what switches every hook off. */
const ALL_OFF = /switch(?:es)? (?:off )?every hook/

interface HookedFile {
  readonly file: string
  readonly text: string
  readonly entries: readonly InstalledEntry[]
}

function hookedFile(installer: Installer, file: string): readonly HookedFile[] {
  const text = readIfThere(file)
  const entries = text === undefined ? undefined : installer.entries(text)
  if (text === undefined || entries === undefined) return []
  // A file that cannot be read has no hooks that run.
  return entries.ok && entries.value.length > 0 ? [{ file, text, entries: entries.value }] : []
}

/** What keeps the agent from running the hooks of one file. */
function obstacles(
  installer: Installer,
  file: string,
  text: string,
  entries: readonly InstalledEntry[],
  where: InstallPlaces,
): readonly { readonly file: string; readonly why: string }[] {
  const look = {
    ...{ file: realFile(file), text, where },
    ...{ read: readIfThere, sha256: contentHash },
  }
  const started = entries.filter(({ headers }) => headers === undefined)
  const programs = started.map(({ command, shell }) => (shell ? shellProgram(command) : command))
  const gone = programs.find((program) => isAbsolute(program) && !existsSync(program))
  return [
    ...(installer.stops?.(text) ?? []),
    ...installer.warnings(text).filter((line) => ALL_OFF.test(line)),
    ...(installer.trustWarnings?.(look) ?? []),
    ...(entries.some(({ event }) => event === 'PreToolUse') ? [] : ['there is no hook for PreToolUse.']),
    ...(gone === undefined ? [] : [`its hooks start ${gone}, which is missing. Run \`npx holdpoint init\`.`]),
  ].map((why) => ({ file, why: `${file}: ${why}` }))
}

function realFile(file: string): string {
  try {
    return join(realpathSync(dirname(file)), basename(file))
  } catch {
    return file
  }
}

/** What keeps this agent's hooks from counting here, by the file that says so. */
export function switchedOffHere(installer: Installer, where: InstallPlaces): readonly string[] {
  return [...new Set(installer.governing?.(where) ?? [])].flatMap((file) => {
    const text = readIfThere(file) ?? (isFolder(file) ? '' : undefined)
    const off = text === undefined ? undefined : installer.switchesOff?.(text, file, where)
    return off === undefined ? [] : [`${file} ${off}.`]
  })
}

function missing(hooked: number, { host, notProved }: Installer): readonly string[] {
  const more = notProved === true ? ' --unproved' : ''
  return hooked > 0 ? [] : [`it has no hooks here. Run \`holdpoint init --host ${host}${more}\`.`]
}
