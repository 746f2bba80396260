import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, Script } from 'node:vm'
import { codeCacheFolder, keepCompiled, readIfThere } from './code-cache.ts'
import { loadChunks } from './load-chunks.ts'

type Programs = typeof import('./programs.ts')

/**
 * What runs: a hook, for one event; a batch, which decides thousands of calls; a command that a person types; or anything
 * else. Each has caches of its own, because a cache has the functions that ran before it was made, and reading more than
 * it needs costs every hook.
 */
type Kind = 'hook' | 'batch' | 'other' | { readonly command: string }

/** What every hook needs, what a command needs, and everything else. The build writes each as a function, in ASCII only. */
const PARTS = ['', '-command', '-rest'] as const
type Part = 0 | 1 | 2

/** Where the caches are, how the names of this program's own begin, and which it makes when it ends. */
interface Caches {
  readonly prefix: string
  readonly makes: (part: Part, exitCode: number) => boolean
  readonly leastBytes: number
}

/**
 * Loads everything Holdpoint runs, from compiled code where that is there. Reading and compiling the source is most of
 * what a call costs in addition to Node itself, so V8's own cache of it is kept next to the installed copy. Only a hook
 * that was asked about a command makes the caches that hooks use, only a long batch those of batches, and each command
 * its own. V8 ignores a cache that does not fit; one that cannot be written costs time, nothing else. Where none can be
 * kept, only what is needed is compiled.
 */
export function loadPrograms(kind: Kind = 'other', isThread = false): Programs {
  const folder = codeCacheFolder(typeof kind === 'object')
  if (folder === undefined) return loadChunks(PARTS.map((part) => `programs${part}.cjs`)) as Programs
  const loaded = { exports: {} }
  const body = `${__dirname}/programs.cjs`
  let isCommand = false
  const caches = cachesOf(kind, isThread, `${folder}/${process.version}-${process.arch}`, () => isCommand)
  const load = (part: Part): unknown => {
    if (part === 1) isCommand = true
    return compiled(part, caches)(require, body, __dirname)
  }
  compiled(0, caches)(require, body, __dirname, loaded, load)
  return loaded.exports as Programs
}

/** A batch that takes this long has run most of its code. */
const LONG_S = 1
/** A call that was answered before, and comes again, runs little of what reads a command: the next one makes that cache. */
const LEAST_BYTES = 100_000
/** From here on, exit codes are mistakes: such a command has not run what it is for. */
const FIRST_MISTAKE = 64

function cachesOf(kind: Kind, isThread: boolean, prefix: string, isCommand: () => boolean): Caches {
  const never = () => false
  if (typeof kind === 'object') {
    const makes = (_part: Part, exitCode: number) => exitCode < FIRST_MISTAKE
    return { prefix: `${prefix}-${kind.command}`, makes, leastBytes: 0 }
  }
  const second = once(() => isSecond(`${prefix}.first`))
  const makes = {
    hook: (part: Part) => part !== 2 && isCommand() && second(),
    batch: () => process.uptime() > LONG_S,
    other: (part: Part) => part === 2,
  }[kind]
  return {
    prefix: kind === 'batch' ? `${prefix}-batch` : prefix,
    makes: isThread ? never : makes,
    leastBytes: LEAST_BYTES,
  }
}

/** The function in the file. If it has no cache, one may be made when the process ends. */
function compiled(
  part: Part,
  { prefix, makes, leastBytes }: Caches,
): (...given: readonly unknown[]) => unknown {
  const file = `${__dirname}/programs${PARTS[part]}.cjs`
  const own = `${prefix}${PARTS[part]}`
  const cachedData = readIfThere(own)
  // ASCII is read fastest as Latin-1.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  if (cachedData === undefined) {
    process.once('exit', (exitCode) => {
      try {
        if (makes(part, exitCode)) keepCompiled(script, own, leastBytes)
      } catch {
        // A full or read-only disk: every call compiles again.
      }
    })
  }
  return script.runInThisContext()
}

function once(ask: () => boolean): () => boolean {
  let answer: boolean | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}

/** The first call also makes the plan, with code that no later call needs. So the second one makes the cache. */
function isSecond(first: string): boolean {
  if (existsSync(first)) return true
  writeFileSync(first, '', { mode: 0o600 })
  return false
}
