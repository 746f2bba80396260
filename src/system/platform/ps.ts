import { spawnSync } from 'node:child_process'

/** macOS: processes as `ps` prints them, because that system has no files for them. */

/** A line of its table. */
export interface PsRow {
  readonly pid: number
  readonly parent: number
  readonly user: number
  /** A letter: `R`, `S`, `T` stopped, `Z` ended but not yet noticed by its parent; more letters may follow. */
  readonly state: string
  /** The first word that it was started with, with its spaces: mostly the whole path, `-zsh` for a login shell. */
  readonly command: string
}

/** The widths of the columns differ from machine to machine, and the last one may contain any character. */
export function readTable(text: string): ReadonlyMap<number, PsRow> {
  const rows = text.split('\n').flatMap((line) => {
    const [, pid, parent, user, state = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(.*?)\s*$/.exec(line) ?? []
    if (pid === undefined) return []
    return [{ pid: Number(pid), parent: Number(parent), user: Number(user), state, command }]
  })
  return onceEach(rows.map((row) => [row.pid, row]))
}

/** A process must not pretend to be two: `ps` prints a line break in a name as something else. */
function onceEach<T>(entries: readonly (readonly [number, T])[]): ReadonlyMap<number, T> {
  const found = new Map(entries)
  if (found.size < entries.length) throw new Error('`ps` names a process twice')
  return found
}

/** `PID TEXT` on each line. */
export function readTexts(text: string): ReadonlyMap<number, string> {
  return onceEach(
    text.split('\n').flatMap((line) => {
      const [, pid, rest = ''] = /^\s*(\d+) (.*)$/.exec(line) ?? []
      return pid === undefined ? [] : [[Number(pid), rest.trim()] as const]
    }),
  )
}

/** The words after the first one, which may have spaces of its own. */
export function splitWords(command: string, line: string): readonly string[] {
  const rest = line.startsWith(command) ? line.slice(command.length) : line.replace(/^\S*/, '')
  return [command, ...rest.split(/\s+/).filter((word) => word !== '')]
}

/** What stands behind the words of a process, where the system shows it to this user. */
export function variablesOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => /^[A-Za-z_]\w*=/.test(word))
}

const TIMEOUT_MS = 5_000
/** Environments can be long. */
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024

/** Each column has an option of its own: everywhere, `=` then means a column without a heading. */
function ps(columns: readonly string[], ...options: readonly string[]): string {
  return run('/bin/ps', [...options, ...columns.flatMap((column) => ['-o', `${column}=`])])
}

/** What it printed, also if it ends with an error, as both do when one of several processes is gone. */
function run(program: string, args: readonly string[]): string {
  const { stdout } = spawnSync(program, args, {
    encoding: 'latin1',
    timeout: TIMEOUT_MS,
    maxBuffer: OUTPUT_MAX_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
  })
  return stdout ?? ''
}

const TABLE = ['pid', 'ppid', 'uid', 'stat', 'comm']

export function psTable(): ReadonlyMap<number, PsRow> {
  return readTable(ps(TABLE, '-axww'))
}

export function psRow(pid: number): PsRow | undefined {
  return readTable(ps(TABLE, '-ww', '-p', `${pid}`)).get(pid)
}

/** All words of these processes, and with `environment` their variables behind them. */
export function psTexts(pids: readonly number[], { environment = false } = {}): ReadonlyMap<number, string> {
  if (pids.length === 0) return new Map()
  return readTexts(ps(['pid', 'command'], ...(environment ? ['-E'] : []), '-ww', '-p', pids.join(',')))
}

/**
 * The programs of processes in the text of `lsof -d txt -F pn`: the first file that a process has in its memory. The words
 * of a process say whatever it was started with.
 */
export function readProgramFiles(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let pid = 0
  for (const line of text.split('\n')) {
    if (/^p\d+$/.test(line)) pid = Number(line.slice(1))
    else if (line.startsWith('n/') && !found.has(pid)) found.set(pid, line.slice(1))
  }
  return found
}

/** Of processes of other users it says nothing. */
export function runningFiles(pids: readonly number[]): ReadonlyMap<number, string> {
  return readProgramFiles(
    run('/usr/sbin/lsof', ['-a', '-n', '-P', '-d', 'txt', '-F', 'pn', '-p', pids.join(',')]),
  )
}

/** The terminal that a process belongs to. */
export function psTerminal(pid: number): string | undefined {
  const name = ps(['tty'], '-p', `${pid}`).trim()
  return /^[A-Za-z0-9/]+$/.test(name) ? `/dev/${name}` : undefined
}
