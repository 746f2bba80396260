import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { constants, Script } from 'node:vm'
import { loadChunks } from './load-chunks.ts'

type Programs = typeof import('./programs.ts')

/**
 * What runs: a hook, for one event; a batch, which decides thousands of calls; or anything else. Each has caches of its
 * own, because a cache has the functions that ran before it was made, and reading more than it needs costs every hook.
 */
type Kind = 'hook' | 'batch' | 'other'

/** What every hook needs, what a command needs, and everything else. The build writes each as a function, in ASCII only. */
const PARTS = ['', '-command', '-rest'] as const
type Part = 0 | 1 | 2
/** Made by `init` in the installed copy. A package manager's folder has none, and nothing is written there. */
const CACHE_FOLDER = `${__dirname}/code-cache`
const CACHE = `${CACHE_FOLDER}/${process.version}-${process.arch}`
/** A hook has run on this version of Node. */
const FIRST = `${CACHE}.first`

/**
 * Loads everything Holdpoint runs, from compiled code where that is there. Reading and compiling the source is most of
 * what a call costs in addition to Node itself, so V8's own cache of it is kept next to the installed copy. Only a hook
 * that was asked about a command makes the caches that hooks use, only a long batch those of batches, and any other
 * program that of the rest. V8 ignores a cache that does not fit; one that cannot be written costs time, nothing else.
 */
export function loadPrograms(kind: Kind = 'other', isThread = false): Programs {
  if (!existsSync(CACHE_FOLDER)) return loadChunks(PARTS.map((part) => `programs${part}.cjs`)) as Programs
  const loaded = { exports: {} }
  const body = `${__dirname}/programs.cjs`
  let isCommand = false
  const second = once(isSecond)
  const makes = (part: Part): boolean => {
    if (isThread) return false
    if (kind === 'batch') return process.uptime() > LONG_S
    if (kind === 'hook') return part !== 2 && isCommand && second()
    return part === 2
  }
  const load = (part: Part): unknown => {
    if (part === 1) isCommand = true
    return compiled(part, kind, makes)(require, body, __dirname)
  }
  compiled(0, kind, makes)(require, body, __dirname, loaded, load)
  return loaded.exports as Programs
}

/** A batch that takes this long has run most of its code. */
const LONG_S = 1

/** The function in the file. If it has no cache, one is made when the process ends, if `makes` says so. */
function compiled(
  part: Part,
  kind: Kind,
  makes: (part: Part) => boolean,
): (...given: readonly unknown[]) => unknown {
  const file = `${__dirname}/programs${PARTS[part]}.cjs`
  const own = `${CACHE}${kind === 'batch' ? '-batch' : ''}${PARTS[part]}`
  const cachedData = readIfThere(own)
  // ASCII is read fastest as Latin-1.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  if (cachedData === undefined) {
    process.once('exit', () => keep(script, own, () => makes(part)))
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

/** A call that was answered before, and comes again, runs little of what reads a command: the next one makes that cache. */
const LEAST_BYTES = 100_000

function keep(script: Script, cache: string, makes: () => boolean): void {
  try {
    if (!makes()) return
    const data = script.createCachedData()
    if (data.length < LEAST_BYTES) return
    const temporary = `${cache}.${process.pid}`
    writeFileSync(temporary, data, { flag: 'wx', mode: 0o600 })
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
