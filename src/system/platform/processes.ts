import { hasProc, procLink, procNames, procPids, procText, procUser } from './proc.ts'
import { psRow, psTable, psTerminal, psTexts, runningFiles, splitWords, variablesOf } from './ps.ts'

/** A process, as far as the system shows it to this user. */
export interface SeenProcess {
  readonly pid: number
  readonly parent: number
  /** What the system calls it. */
  readonly name: string
  readonly words: readonly string[]
  /** `NAME=value`, as it was when the process began. */
  readonly environment: readonly string[]
  /** The file of its program. */
  readonly file?: string | undefined
  readonly user?: number | undefined
  /** Every one of its user ids is root's: a program with root's rights for its file alone has others. */
  readonly isRoot?: boolean
  /** The number of its terminal; 0 if it has none. Undefined where the system does not say. */
  readonly terminal?: number
}

/** `R` runs, `S` sleeps, `T` was stopped, `Z` has ended but is still listed. Undefined: there is no such process. */
export function processState(pid: number): string | undefined {
  // Read once: it may be gone at a second read. Its name is in parentheses and may contain any character.
  if (hasProc()) return /^\d+ \(.*\) (\w)/s.exec(procText(pid, 'stat') ?? '')?.[1]
  return psRow(pid)?.state[0]
}

/** The words of a process with spaces between them; empty if it has ended or cannot be seen. */
export function wordsOfProcess(pid: number): string {
  if (hasProc()) return (procText(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim()
  return psTexts([pid]).get(pid) ?? ''
}

/** All processes that this user can see, with their words. */
export function wordsOfAll(): ReadonlyMap<number, string> {
  if (hasProc()) return new Map(procPids().map((pid) => [pid, wordsOfProcess(pid)]))
  return psTexts([...psTable().keys()])
}

/** More levels than any real process tree has. A process id may be reused during the search. */
const LEVELS_MAX = 512

/** A process and all its parents, nearest first. Undefined if one of them cannot be seen. */
export function processAndParents(pid: number): readonly SeenProcess[] | undefined {
  return process.platform === 'linux' ? walkUp(pid, fromProc) : fromPs(pid)
}

/** The terminals that a process has made, by their numbers in /dev/pts. Empty if it hides them. */
export function terminalsMadeBy(pid: number): readonly number[] {
  return procNames(pid, 'fd').flatMap((fd) => {
    if (!/^\/dev\/(?:pts\/)?ptmx$/.test(procLink(pid, `fd/${fd}`) ?? '')) return []
    const index = /^tty-index:\s*(\d+)$/m.exec(procText(pid, `fdinfo/${fd}`) ?? '')?.[1]
    return index === undefined ? [] : [Number(index)]
  })
}

/** The number in /dev/pts of a terminal that a program made. Undefined: it is another one, such as a console. */
export function madeTerminal(terminal: number): number | undefined {
  const major = (terminal >> 8) & 0xfff
  return major === PTS_MAJOR ? (terminal & 0xff) | ((terminal >> 12) & 0xfff00) : undefined
}

const PTS_MAJOR = 136

function walkUp<T extends { readonly parent: number }>(
  from: number,
  look: (pid: number) => T | undefined,
): readonly T[] | undefined {
  const found: T[] = []
  for (let pid = from; pid > 0; ) {
    const seen = found.length < LEVELS_MAX ? look(pid) : undefined
    if (seen === undefined) return undefined
    found.push(seen)
    pid = seen.parent
  }
  return found
}

function fromProc(pid: number): SeenProcess | undefined {
  const stat = procText(pid, 'stat')
  const [, parent = '', , , terminal = ''] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  if (stat?.startsWith(`${pid} (`) !== true || !/^\d+$/.test(parent)) return undefined
  const [, name = ''] = /\((.*)\)/s.exec(stat) ?? []
  const isRoot = /^Uid:(?:\s+0){4}$/m.test(procText(pid, 'status') ?? '')
  return {
    ...{ pid, parent: Number(parent), name, file: procLink(pid, 'exe'), user: procUser(pid) },
    ...{ isRoot, terminal: Number(terminal) },
    words: listed(procText(pid, 'cmdline')),
    environment: listed(procText(pid, 'environ')),
  }
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '').split('\0').filter((each) => each !== '')
}

function fromPs(from: number): readonly SeenProcess[] | undefined {
  const table = psTable()
  const chain = walkUp(from, (pid) => table.get(pid))
  if (chain === undefined) return undefined
  const pids = chain.map(({ pid }) => pid)
  const [lines, more] = [psTexts(pids), psTexts(pids, { environment: true })]
  const files = runningFiles(pids)
  return chain.map(({ pid, parent, user, command }) => {
    const line = lines.get(pid) ?? command
    const all = more.get(pid) ?? ''
    return {
      ...{ pid, parent, user, name: command, words: splitWords(command, line) },
      file: files.get(pid) ?? (command.startsWith('/') ? command : undefined),
      // A word of the command line that looks like a variable is none.
      environment: variablesOf(all.startsWith(line) ? all.slice(line.length) : all),
    }
  })
}

/** The terminal on standard input, as far as the system names it. */
export function terminalOnInput(): string | undefined {
  return hasProc() ? procLink('self', 'fd/0') : psTerminal(process.pid)
}
