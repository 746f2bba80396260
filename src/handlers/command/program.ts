import { accessSync, constants, statSync } from 'node:fs'
import { extname, isAbsolute, resolve } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'

export interface CommandProgram {
  readonly file: string
  readonly args: readonly string[]
  /** True if every word is an absolute path or belongs to Holdpoint, so that it means the same in any folder. */
  readonly isAnywhere: boolean
}

/**
 * What to start for a configured command: a file is run as it is, or by the interpreter of its extension; with
 * `args` a bare name comes from PATH; anything else is a shell command line.
 */
export function resolveProgram(
  command: string,
  args: readonly string[] | undefined,
  root: string,
): Result<CommandProgram> {
  const file = isAbsolute(command) ? command : resolve(root, command)
  if (isFile(file)) return fromFile(file, args ?? [])
  if (args !== undefined) {
    if (!command.includes('/')) return good({ file: command, args, isAnywhere: false })
    return bad('CONFIG_VALUE', `there is no program ${file}`)
  }
  if (/^\S*\/\S*$/.test(command)) return bad('CONFIG_VALUE', `there is no program ${file}`)
  return good({ file: '/bin/sh', args: ['-c', command], isAnywhere: false })
}

function fromFile(file: string, args: readonly string[]): Result<CommandProgram> {
  const isAnywhere = args.length === 0
  if (isExecutable(file)) return good({ file, args, isAnywhere })
  const interpreter = INTERPRETERS[extname(file)]
  if (interpreter === undefined) {
    return bad('CONFIG_VALUE', `${file} is not executable, and no interpreter is known for its name`)
  }
  return good({ file: interpreter, args: [file, ...args], isAnywhere })
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  '.py': 'python3',
  '.sh': '/bin/sh',
  '.bash': 'bash',
  '.js': process.execPath,
  '.mjs': process.execPath,
  '.cjs': process.execPath,
  '.rb': 'ruby',
  '.pl': 'perl',
  '.php': 'php',
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // A command line is often longer than a name may be.
    return false
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    // As root every file may be "accessible"; the mode bits say what the author intended.
    return ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) !== 0
  } catch {
    return false
  }
}
