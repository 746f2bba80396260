import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { wordSet } from '../core/word-list.ts'
import { isOwnedByRoot } from './signatures.ts'

/** A parent process, as far as it is visible. */
export interface Ancestor {
  readonly pid: number
  /** Its name, the program, and the script if the program is an interpreter. */
  readonly programs: readonly string[]
  /** `NAME=value`, as it was when the process began. */
  readonly environment: readonly string[]
  /** The words that it was started with. */
  readonly words: readonly string[]
  /** Its program file, if only root can change it. For a process of root that hides it, only the name. */
  readonly rootsProgram?: string
}

/**
 * The agent that started this process, at any level above; undefined if none is found. If the processes above cannot be
 * seen, that is reported too, because it is unknown whether a person started it.
 */
export function agentAbove(ancestors: readonly Ancestor[] | undefined): string | undefined {
  if (ancestors === undefined) return 'a process that cannot be seen'
  for (const { programs, environment } of ancestors) {
    const program = programs.map(programName).find((name) => AGENTS.has(name))
    if (program !== undefined) return program
    const variable = environment.map((each) => each.split('=', 1)[0] ?? '').find((name) => MARKS.test(name))
    if (variable !== undefined) return `an agent (${variable} is set)`
  }
  return undefined
}

/** This process and all its parents, nearest first. */
export function ancestors(): readonly Ancestor[] | undefined {
  try {
    return process.platform === 'linux' ? walkUp(fromProc) : walkUp(fromPs)
  } catch {
    return undefined
  }
}

const AGENTS = wordSet(`
  claude codex gemini agy qwen copilot cursor-agent opencode kilo droid amp grok kimi auggie cline crush goose
  aider kiro-cli openhands windsurf
`)

/**
 * Variables that agents set for their child processes. Not those a user sets for an agent (CODEX_HOME,
 * CLAUDE_CONFIG_DIR), and not those an editor sets in its own terminals (CLAUDE_CODE_SSE_PORT).
 */
const MARKS = new RegExp(
  `^(?:${[
    'CLAUDECODE|CLAUDE_CODE_(?:ENTRYPOINT|SESSION_ID|CHILD_SESSION|MESSAGING_SOCKET)|CLAUDE_PID|AI_AGENT',
    'CODEX_(?:SANDBOX\\w*|THREAD_ID|CI|MANAGED_BY_NPM|MANAGED_PACKAGE_ROOT)',
    'GEMINI_CLI|GEMINI_SESSION_ID|QWEN_CODE|QWEN_SESSION_ID|COPILOT_CLI|CURSOR_AGENT|OPENCODE|OPENCODE_SESSION\\w*',
    'GROK_SESSION_ID|FACTORY_SESSION_ID|DROID_SESSION_ID|CLINE_ACTIVE|AUGMENT_AGENT|GOOSE_TERMINAL|AMP_THREAD_ID',
  ].join('|')})$`,
)

function programName(word: string): string {
  return basename(word).replace(/\.(?:exe|cmd|[cm]?js|py)$/, '')
}

interface Process extends Ancestor {
  readonly parent: number
}

/** More levels than any real process tree has. A process id may be reused during the search. */
const LEVELS_MAX = 64

function walkUp(look: (pid: number) => Process | undefined): readonly Ancestor[] {
  const found: Ancestor[] = []
  for (let pid = process.pid; pid > 0 && found.length < LEVELS_MAX; ) {
    const seen = look(pid)
    if (seen === undefined) break
    found.push(seen)
    pid = seen.parent
  }
  if (found.length === 0) throw new Error('not even this process can be seen')
  return found
}

function fromProc(pid: number): Process | undefined {
  const stat = readProc(pid, 'stat')
  // The name is in parentheses and may contain any character.
  const parent = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  if (stat === undefined || !Number.isInteger(parent)) return undefined
  const [, name = ''] = /\((.*)\)/s.exec(stat) ?? []
  const words = listed(readProc(pid, 'cmdline'))
  const rootsProgram = rootsProgramOf(pid, name)
  return {
    ...{ pid, parent, words, programs: [name, ...programsOf(words)] },
    environment: listed(readProc(pid, 'environ')),
    ...(rootsProgram === undefined ? {} : { rootsProgram }),
  }
}

/** A name can be taken by any program, but a file of root or a process of root cannot. */
function rootsProgramOf(pid: number, name: string): string | undefined {
  if (!isRootReal()) return undefined
  try {
    const program = readlinkSync(`/proc/${pid}/exe`)
    return isOwnedByRoot(program) ? program : undefined
  } catch {
    return statSync(`/proc/${pid}`).uid === 0 ? name : undefined
  }
}

/** In a namespace of its own, any user can look like root. */
export function isRootReal(): boolean {
  if (process.platform !== 'linux') return true
  try {
    return /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'))
  } catch {
    return false
  }
}

/** An interpreter and its script: `node /usr/bin/claude`. Other arguments do not say which program it is. */
function programsOf([program = '', script = '']: readonly string[]): readonly string[] {
  return INTERPRETERS.test(programName(program)) ? [program, script] : [program]
}

const INTERPRETERS = /^(?:node|nodejs|bun|deno|python[\d.]*|(?:ba|da|z|k)?sh)$/

/** A process of another user shows its name and nothing else. */
function readProc(pid: number, what: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1')
  } catch {
    return undefined
  }
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '').split('\0').filter((each) => each !== '')
}

const PS_TIMEOUT_MS = 5_000

function fromPs(pid: number): Process | undefined {
  const ps = (...args: readonly string[]) => {
    try {
      return execFileSync('/bin/ps', args, { encoding: 'utf8', timeout: PS_TIMEOUT_MS })
    } catch {
      return ''
    }
  }
  const [, parent, command = ''] =
    /^\s*(\d+)\s+(.*)/.exec(ps('-o', 'ppid=,command=', '-p', String(pid))) ?? []
  if (parent === undefined) return undefined
  const environment = ps('-E', '-ww', '-o', 'command=', '-p', String(pid)).split(/\s+/)
  const words = command.split(/\s+/)
  const program = ps('-o', 'comm=', '-p', String(pid)).trim()
  const isRoots = isOwnedByRoot(program) || program.startsWith('/Applications/')
  return {
    ...{ pid, parent: Number(parent), words, programs: programsOf(words), environment },
    ...(isRoots ? { rootsProgram: program } : {}),
  }
}
