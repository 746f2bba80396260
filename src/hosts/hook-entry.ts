import { lastResortOf } from '../core/deadlines.ts'
import { bad, good, type Result } from '../core/errors.ts'
import type { EventKind } from '../core/event.ts'
import type { InstallPlaces } from '../core/host.ts'
import { type HttpAddress, type InstallOptions, PROJECT_LAUNCHER } from './installer.ts'

/** Our entries are recognised by the last part of the program's path, whatever version wrote them. */
const HOOK_PROGRAM = 'holdpoint-hook'

/** `args` undefined: the agent hands `command` to a shell. */
export function startsHookProgram(command: string, args: unknown): boolean {
  const program = Array.isArray(args) ? command : shellProgram(command)
  return program.split(/[\\/]/).at(-1) === HOOK_PROGRAM
}

/** Constant for as long as the options are: an agent may trust a command by its text. */
export function hookArguments(
  host: string,
  event: EventKind,
  home: string | undefined,
  deadlineMs: number,
): readonly string[] {
  const onFailure = lastResortOf(event)
  return [
    [host],
    home === undefined ? [] : ['--home', home],
    ['--event', event],
    ['--on-failure', onFailure],
    ['--deadline-ms', `${deadlineMs}`],
  ].flat()
}

/** The address of an HTTP entry. It contains the program's name, by which our entries are counted and found. */
export function hookAddress(
  host: string,
  event: EventKind,
  { port, mark }: Pick<HttpAddress, 'port' | 'mark'>,
  deadlineMs: number,
): string {
  const options = `event=${event}&on-failure=${lastResortOf(event)}&deadline-ms=${deadlineMs}`
  return `http://127.0.0.1:${port}/hook/${host}?${options}&by=${HOOK_PROGRAM}-${mark}`
}

export function isHookAddress(url: string): boolean {
  return /^http:\/\/127\.0\.0\.1:\d+\/hook\/[a-z-]+\?[^#\s]*&by=holdpoint-hook-[0-9a-f]+$/.test(url)
}

/** Every word in quotes, so that no shell interprets it. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

/**
 * The command line for an agent that starts hooks through a shell. Before a call, a program that is missing or was
 * killed must block: such agents read any other exit code as "continue", and exit 2 without a text too.
 */
export function answeringCommand(line: string, event: EventKind): string {
  return lastResortOf(event) === 'deny' ? `${line} || { ${SAY}; exit 2; }` : line
}

/** The same, where a program that did answer with exit 2 has said why: nothing is added to that. */
export function answeringLine(line: string, event: EventKind): string {
  return lastResortOf(event) === 'deny' ? `${line} || { [ $? -eq 2 ] || ${SAY}; exit 2; }` : line
}

const SAY = `echo 'Holdpoint could not answer, so this was stopped.' >&2`

/**
 * The same for a file that is committed to a repository: the launcher in the project, found from `root`, a shell
 * expression of the agent. A clone without the launcher must block before a call, like after any other failure.
 */
export function portableCommand(root: string, host: string, event: EventKind, deadlineMs: number): string {
  const words = shellCommand(hookArguments(host, event, undefined, deadlineMs))
  return answeringCommand(`${root}/${PROJECT_LAUNCHER} ${words}`, event)
}

/** The agent's own folder of the user: where its variable says, from the project if that is relative, else in home. */
export function userFolder({ env, home, project }: InstallPlaces, variable: string, name: string): string {
  const folder = env[variable]
  if (!folder) return `${home}/${name}`
  return folder.startsWith('/') ? folder.replace(/(?<=.)\/+$/, '') : `${project}/${folder}`
}

/** An entry that depends on the current folder, or that we would not recognise, must not be written. */
export function checkOptions(options: InstallOptions, oldest: OldestVersion): Result<void> {
  const { command, home, version } = options
  if (!isAtLeast(version, oldest.version)) {
    return bad('HOST_UNKNOWN', `${oldest.title} ${version} is too old: ${oldest.why}.`, {
      fix: `Update it to ${oldest.version} or newer and install again; nothing was changed.`,
    })
  }
  if (options.portable === true) return good(undefined)
  for (const [what, path] of Object.entries({ program: command, home })) {
    if (!/^(?:\/|[A-Za-z]:[\\/])/.test(path) || path.includes('\0')) {
      return bad('OPTION_INVALID', `The ${what} to install is "${path}".`, { fix: 'Give an absolute path.' })
    }
  }
  if (!startsHookProgram(command, [])) {
    return bad('OPTION_INVALID', `The program to install is "${command}".`, {
      fix: `Its file must be called ${HOOK_PROGRAM}, so that the entry can be found and removed later.`,
    })
  }
  return good(undefined)
}

/** The first version that reads what we write. */
export interface OldestVersion {
  readonly title: string
  readonly version: string
  readonly why: string
}

/** Whether the version is known and not older: for features that must really exist. */
export function isKnownAtLeast(version: string | undefined, minimum: string): boolean {
  return numbersOf(version ?? '').length > 0 && isAtLeast(version, minimum)
}

/** `2.1.101`, in the version text of a program. An unknown version is treated as a new one. */
export function isAtLeast(version: string | undefined, minimum: string): boolean {
  const [found, needed] = [numbersOf(version ?? ''), numbersOf(minimum)]
  const at = needed.findIndex((number, index) => number !== found[index])
  return found.length === 0 || at < 0 || (found[at] ?? 0) > (needed[at] ?? 0)
}

function numbersOf(version: string): readonly number[] {
  return /(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? []
}

/** The program of a line for the shell, as far as quotes go; a word that needs more than that, or is longer than any path, was not written by us. */
export function shellProgram(command: string): string {
  const start = command.slice(0, PATH_MAX_LENGTH)
  const word = /^\s*((?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])*)/.exec(start)?.[1] ?? ''
  return word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_all, single, double, escaped) => {
    return single ?? double ?? escaped
  })
}

const PATH_MAX_LENGTH = 8_192
