import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { constants, Script } from 'node:vm'

type Programs = typeof import('./programs.ts')

/** What every hook needs, what a command needs, and everything else. The build writes each as a function, in ASCII only. */
const BODY = `${__dirname}/programs.cjs`
const COMMAND = `${__dirname}/programs-command.cjs`
const REST = `${__dirname}/programs-rest.cjs`
/** Made by `init` in the installed copy. A package manager's folder has none, and nothing is written there. */
const CACHE_FOLDER = `${__dirname}/code-cache`
const CACHE = `${CACHE_FOLDER}/${process.version}-${process.arch}`
const COMMAND_CACHE = `${CACHE}-command`
const REST_CACHE = `${CACHE}-rest`
/** A hook has run on this version of Node. */
const FIRST = `${CACHE}.first`

/**
 * Loads everything Holdpoint runs, from compiled code where that is there. Reading and compiling the source is most of
 * what a call costs beside Node itself, so V8's own cache of it is kept next to the installed copy. It has the functions
 * that ran before it was made, and reading more than a hook needs costs every call. So only a hook that was asked about a
 * command makes the caches of what it needs, and any other program that of the rest. V8 ignores a cache that does not
 * fit; one that cannot be written costs time, nothing else.
 */
export function loadPrograms(isHook = false): Programs {
  const loaded = { exports: {} }
  let isCommand = false
  const second = once(isSecond)
  const makes = isHook && (() => isCommand && second())
  const load = (part: 1 | 2): unknown => {
    if (part === 1) isCommand = true
    const script =
      part === 1
        ? compiled(COMMAND, COMMAND_CACHE, makes)
        : compiled(REST, REST_CACHE, !isHook && (() => true))
    return script(require, BODY, __dirname)
  }
  compiled(BODY, CACHE, makes)(require, BODY, __dirname, loaded, load)
  return loaded.exports as Programs
}

/** The function in the file. If it has no cache, one is made when the process ends, if `makes` says so. */
function compiled(
  file: string,
  cache: string,
  makes: false | (() => boolean),
): (...given: readonly unknown[]) => unknown {
  const cachedData = readIfThere(cache)
  // ASCII is read fastest as Latin-1.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  if (makes !== false && cachedData === undefined && existsSync(CACHE_FOLDER)) {
    process.once('exit', () => keep(script, cache, makes))
  }
  return script.runInThisContext()
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function keep(script: Script, cache: string, makes: () => boolean): void {
  try {
    if (!makes()) return
    const temporary = `${cache}.${process.pid}`
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o600 })
    renameSync(temporary, cache)
  } catch {
    // A full or read-only disk: every call compiles again.
  }
}

function once(ask: () => boolean): () => boolean {
  let answer: boolean | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}

/** The first call also makes the plan, with code that no later call needs. So the second one makes the cache. */
function isSecond(): boolean {
  if (existsSync(FIRST)) return true
  writeFileSync(FIRST, '', { mode: 0o600 })
  return false
}
