import { readCommands } from '../../shell/walk/read-commands.ts'
import { exactText } from '../../shell/words/words.ts'
import type { DiskFacts } from './check.ts'
import type { ClaudeHandler } from './claude-file.ts'

/** The script that a handler starts, as far as it is known without running anything. */
export interface Script {
  /** Absolute. */
  readonly path: string
  readonly written: string
  /** Started directly, not through an interpreter. */
  readonly isProgram: boolean
  /** Relative to the current folder of the session. */
  readonly isRelative: boolean
}

export function scriptOf(handler: ClaudeHandler, look: DiskFacts): Script | undefined {
  const known = KNOWN.get(handler)
  if (known !== undefined) return known.script
  const script = readScript(handler, look)
  KNOWN.set(handler, { script })
  return script
}

/** Several checks need it, and parsing a command takes time. */
const KNOWN = new WeakMap<ClaudeHandler, { readonly script: Script | undefined }>()

function readScript({ command, value }: ClaudeHandler, look: DiskFacts): Script | undefined {
  if (command === undefined || (value.type !== undefined && value.type !== 'command')) return undefined
  if (Array.isArray(value.args)) {
    const words = [command, ...value.args.map(String)].map((word) => withFolders(word, look))
    return scriptIn(words, look, look.project)
  }
  const read = readCommands(withFolders(command, look), { cwd: FROM_SESSION, home: look.home })
  if (!read.judged) return undefined
  for (const { word, args, cwd } of read.commands) {
    const words = [word, ...args].map((each) => exactText(each) ?? '')
    const script = scriptIn(words, look, cwd === FROM_SESSION ? undefined : cwd)
    if (script !== undefined) return script
  }
  return undefined
}

/** Stands for the folder of the session, which a `cd` in the command would leave. */
const FROM_SESSION = '/the-folder-of-the-session'

/**
 * Folders with shell syntax in their names are skipped: their scripts are unknown, so nothing is reported.
 */
function withFolders(text: string, { project, home }: DiskFacts): string {
  const put = (folder: string) => (/^[\w./@+-]*$/.test(folder) ? folder : undefined)
  return text
    .replaceAll(/\$\{?CLAUDE_PROJECT_DIR\b\}?/g, (written) => put(project) ?? written)
    .replaceAll(/\$\{?HOME\b\}?/g, (written) => put(home) ?? written)
}

const INTERPRETERS = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|bash|sh|zsh|uv|tsx)$/
const SCRIPT = /\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]s)$/

/** `folder` undefined: the folder of the session. */
function scriptIn(words: readonly string[], look: DiskFacts, folder: string | undefined): Script | undefined {
  const [program = '', ...args] = words
  const name = program.slice(program.lastIndexOf('/') + 1)
  const isInterpreter = INTERPRETERS.test(name)
  const written = isInterpreter ? args.find((word) => SCRIPT.test(word)) : program
  if (written === undefined || !(isInterpreter || written.includes('/')) || /[$`*?\0]/.test(written)) {
    return undefined
  }
  const isAbsolute = written.startsWith('/')
  return {
    path: isAbsolute ? written : joined(folder ?? look.project, written),
    written,
    isProgram: !isInterpreter,
    isRelative: !isAbsolute && folder === undefined,
  }
}

function joined(folder: string, path: string): string {
  const steps: string[] = []
  for (const step of `${folder}/${path}`.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return `/${steps.join('/')}`
}
