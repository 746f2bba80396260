import { fstatSync, statSync } from 'node:fs'
import { wordSet } from '../core/word-list.ts'
import { isEverythingSeen, isProcReal, isSeenAlike } from './platform/proc.ts'
import { processAndParents, type SeenProcess, terminalsMadeBy } from './platform/processes.ts'
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
  readonly isRoot?: boolean
  /** The number of its terminal; 0 if it has none. */
  readonly terminal?: number
  /** The terminals that it has made. Undefined where the system does not say. */
  readonly made?: readonly number[]
  /** Of this process: what its input and its output are, as devices. */
  readonly ends?: readonly number[]
}

/**
 * The agent that started this process, at any level above; undefined if none is found. If the processes above cannot be
 * seen, that is reported too, because it is unknown whether a person started it.
 */
export function agentAbove(ancestors: readonly Ancestor[] | undefined): string | undefined {
  if (ancestors === undefined) return 'a process that cannot be seen'
  for (const { programs, environment } of ancestors) {
    const program = programs.flatMap(programNames).find((name) => AGENTS.has(name))
    if (program !== undefined) return program
    const variable = environment.map((each) => each.split('=', 1)[0] ?? '').find((name) => MARKS.test(name))
    if (variable !== undefined) return `an agent (${variable} is set)`
  }
  return undefined
}

/** This process and all its parents, nearest first. */
export function ancestors(): readonly Ancestor[] | undefined {
  try {
    if (process.platform === 'linux' && !isProcReal()) return undefined
    const all = processAndParents(process.pid)?.map((each) => ancestorOf(each))
    if (all?.[0]?.terminal === undefined) return all
    const ends = [0, 1].map((end) => fstatSync(end).rdev)
    return all.map((each, at) => (at === 0 ? { ...each, ends } : each))
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

/**
 * What a program may be called, from its path: `claude` for `…/claude/versions/2.1.20` too, and `codex` for
 * `codex-aarch64-apple-darwin`. A Mac takes `Claude` for the same file.
 */
function programNames(path: string): readonly string[] {
  const parts = path.toLowerCase().split('/')
  const name = (parts.pop() ?? '').replace(/\.(?:exe|cmd|[cm]?js|py)$/, '')
  const folder = VERSION.test(name)
    ? parts.findLast((part) => !VERSION.test(part) && !BETWEEN.has(part))
    : undefined
  return [name, name.replace(BUILT_FOR, ''), ...(folder === undefined ? [] : [folder])]
}

const VERSION = /^v?\d+(?:\.\d+)+(?:[-+].*)?$/
/** Folders between the name of a program and its version. */
const BETWEEN = wordSet('bin current dist releases versions')
/** The processor or the system in the name of a file, and all that follows; or a version. */
const BUILT_FOR =
  /[-_](?:aarch64|amd64|apple|arm64|darwin|linux|mac|macos|universal|windows|x64|x86_64|v?\d+(?:\.\d+)+)(?:[-_.].*)?$/

/** A process, as the system shows it, with the programs that it may be. */
export function ancestorOf(seen: SeenProcess, platform = process.platform): Ancestor {
  const { pid, name, words, environment, file = '', isRoot, terminal } = seen
  const isOnLinux = platform === 'linux'
  const rootsProgram = isOnLinux ? rootsProgramOf(seen) : programOnMac(seen)
  return {
    ...{ pid, words, environment },
    programs: [name, ...(isOnLinux ? [] : [file]), ...programsOf(words, !isOnLinux)],
    ...(isRoot === undefined ? {} : { isRoot }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(rootsProgram === undefined ? {} : { rootsProgram }),
    // Of root's own processes nothing is seen, and nobody else can be one.
    ...(rootsProgram === undefined || !isOnLinux || isRoot === true ? {} : { made: terminalsMadeBy(pid) }),
  }
}

/** A name can be taken by any program, but a file of root or a process of root cannot. */
function rootsProgramOf({ pid, name, file, isRoot }: SeenProcess): string | undefined {
  if (!isEverythingSeen()) return undefined
  if (file !== undefined)
    return isOwnedByRoot(file) && isProgram(file) && isSeenAlike(pid, file) ? file : undefined
  return isRoot === true ? name : undefined
}

function isProgram(file: string): boolean {
  const info = statSync(file, { throwIfNoEntry: false })
  return info?.isFile() === true && (info.mode & 0o111) !== 0
}

/** Whoever installs a program for everybody owns its file there. */
function programOnMac({ file = '' }: SeenProcess): string | undefined {
  return file.startsWith('/Applications/') || (file.startsWith('/') && isOwnedByRoot(file)) ? file : undefined
}

/**
 * An interpreter and its script: `node --no-warnings /usr/bin/claude`. Other arguments do not say which program it is.
 * Where the words are parts of a text, a path with spaces is several of them: each of its beginnings may be the script.
 */
function programsOf([program = '', ...args]: readonly string[], isSplit: boolean): readonly string[] {
  if (!programNames(program).some((name) => INTERPRETERS.test(name))) return [program]
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && !TAKES_VALUE.has(args[index - 1] ?? ''))
  if (at === -1) return [program]
  const [script = '', ...rest] = args.slice(at)
  if (!isSplit || !script.startsWith('/')) return [program, script]
  const end = rest.findIndex((word) => /^[-/]/.test(word))
  const more = end === -1 ? rest : rest.slice(0, end)
  return [program, script, ...more.map((_, index) => [script, ...more.slice(0, index + 1)].join(' '))]
}

const TAKES_VALUE = wordSet('-r --require --import --loader --experimental-loader -C --conditions -W -X')

const INTERPRETERS = /^(?:node|nodejs|bun|deno|python[\d.]*|-?(?:ba|da|z|k)?sh)$/
