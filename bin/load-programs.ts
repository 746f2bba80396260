import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, Script } from 'node:vm'

type Programs = typeof import('./programs.ts')

const BODY = `${__dirname}/programs.cjs`
/** Made by `init` in the installed copy. A package manager's folder has none, and nothing is written there. */
const CACHE_FOLDER = `${__dirname}/code-cache`
const CACHE = `${CACHE_FOLDER}/${process.version}-${process.arch}`
/** A hook has run on this version of Node. */
const FIRST = `${CACHE}.first`

/**
 * Loads everything Holdpoint runs, from compiled code where that is there. Reading and compiling the source is most of
 * what a call costs beside Node itself, so V8's own cache of it is kept next to the installed copy. It has the functions
 * that ran before it was made, and reading more than a hook needs costs every call. So only a hook makes it. V8 ignores
 * a cache that does not fit; one that cannot be written costs time, nothing else.
 */
export function loadPrograms(isHook = false): Programs {
  const cachedData = readIfThere(CACHE)
  // The build writes a function, in ASCII only, which is read fastest as Latin-1.
  const script = new Script(readFileSync(BODY, 'latin1'), {
    filename: BODY,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  if (isHook && cachedData === undefined && existsSync(CACHE_FOLDER)) process.once('exit', () => keep(script))
  const loaded = { exports: {} }
  script.runInThisContext()(loaded.exports, createRequire(BODY), loaded, BODY, __dirname)
  return loaded.exports as Programs
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** The first call also makes the plan, with code that no later call needs. So the second one makes the cache. */
function keep(script: Script): void {
  try {
    if (!existsSync(FIRST)) {
      writeFileSync(FIRST, '', { mode: 0o600 })
      return
    }
    const temporary = `${CACHE}.${process.pid}`
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o600 })
    renameSync(temporary, CACHE)
  } catch {
    // A full or read-only disk: every call compiles again.
  }
}
