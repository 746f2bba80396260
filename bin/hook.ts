import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { constants, Script } from 'node:vm'

/**
 * Starts the hook from compiled code. Reading and compiling the hook's source is most of what a call costs beside
 * Node itself, so V8's own cache of it lies beside the file: made by the build, or by the first call on another
 * version of Node. The build writes ASCII only, which is read fastest as Latin-1. A cache that does not fit is ignored by V8; one that cannot be written costs time, nothing else.
 */
const body = `${__dirname}/hook-body.cjs`
const cache = `${__dirname}/hook-body.${process.version}.${process.arch}.cache`

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function start(): void {
  const cachedData = readIfThere(cache)
  const script = new Script(Module.wrap(readFileSync(body, 'latin1')), {
    filename: body,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  if (cachedData === undefined) process.once('exit', () => keep(script))
  script.runInThisContext()(exports, createRequire(body), module, body, __dirname)
}

function keep(script: Script): void {
  try {
    const temporary = `${cache}.${process.pid}`
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx' })
    renameSync(temporary, cache)
  } catch {
    // Installed where this user may not write: every call compiles again.
  }
}

try {
  start()
} catch (error) {
  // Half an installation must stop what it cannot judge, like any other fault.
  process.stderr.write(`holdpoint: the hook cannot start: ${String(error)} Install Holdpoint again.\n`)
  process.exit(2)
}
