import { hasProc, procLink, procPids, procText, procUser } from './proc.ts'
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
const LEVELS_MAX = 64

/** A process and all its parents, nearest first. Empty if not even it can be seen. */
export function processAndParents(pid: number): readonly SeenProcess[] {
  return process.platform === 'linux' ? walkUp(pid, fromProc) : fromPs(pid)
}

function walkUp<T extends { readonly parent: number }>(
  from: number,
  look: (pid: number) => T | undefined,
): readonly T[] {
  const found: T[] = []
  for (let pid = from; pid > 0 && found.length < LEVELS_MAX; ) {
    const seen = look(pid)
    if (seen === undefined) break
    found.push(seen)
    pid = seen.parent
  }
  return found
}

function fromProc(pid: number): SeenProcess | undefined {
  const stat = procText(pid, 'stat')
  const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  if (stat === undefined || !Number.isInteger(parent)) return undefined
  const [, name = ''] = /\((.*)\)/s.exec(stat) ?? []
  return {
    ...{ pid, parent, name, file: procLink(pid, 'exe'), user: procUser(pid) },
    words: listed(procText(pid, 'cmdline')),
    environment: listed(procText(pid, 'environ')),
  }
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '').split('\0').filter((each) => each !== '')
}

function fromPs(from: number): readonly SeenProcess[] {
  const table = psTable()
  const chain = walkUp(from, (pid) => table.get(pid))
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
