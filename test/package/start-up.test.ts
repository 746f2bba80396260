import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshPackage } from '../installed.ts'

/**
 * What the packed program does until it has answered, counted: its time differs with the machine, and `npm run bench`
 * measures that. A limit is some ten percent above what it was when it was set. If a change needs more, think first of what
 * few calls need: `import()` in the sources, or the plugins of the build (scripts/lazy-*.mjs).
 */

let folder: string
let counter: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-start-up-'))
  for (const name of ['project', 'home', 'bin']) mkdirSync(join(folder, name))
  cpSync(freshPackage(), join(folder, 'holdpoint'), { recursive: true })
  counter = join(folder, 'counter.cjs')
  writeFileSync(counter, COUNTER)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Counted {
  /** Of Holdpoint's source that V8 had to read, because it had no compiled code of it. */
  readonly compiledBytes: number
  /** Modules of Node that were loaded besides those that every program has. */
  readonly modules: readonly string[]
  readonly filesRead: number
  readonly filesWritten: number
}

/** Loaded before the program. What it counts is a function's own work, so nothing is counted twice. */
const COUNTER = `
const fs = require('node:fs')
const vm = require('node:vm')
const before = new Set(process.moduleLoadList)
const counted = { compiledBytes: 0, filesRead: 0, filesWritten: 0 }
const { compileFunction, Script } = vm
vm.compileFunction = (text, ...more) => {
  counted.compiledBytes += text.length
  return compileFunction(text, ...more)
}
vm.Script = class extends Script {
  constructor(text, ...more) {
    super(text, ...more)
    if (this.cachedDataRejected !== false) counted.compiledBytes += text.length
  }
}
for (const [name, key] of [['readFileSync', 'filesRead'], ['openSync', 'filesRead'], ['writeFileSync', 'filesWritten']]) {
  const own = fs[name]
  fs[name] = (...given) => {
    counted[key] += 1
    return own(...given)
  }
}
process.once('exit', () => {
  const modules = process.moduleLoadList.filter((name) => !before.has(name))
  require('node:fs').appendFileSync(process.env.COUNTED, JSON.stringify({ ...counted, modules }))
})
`

/** Without agents on its path, which would be asked for their versions. */
function counted(
  ...words: readonly string[]
): Counted & { readonly stdout: string; readonly status: number | null } {
  const file = join(folder, 'counted.json')
  rmSync(file, { force: true })
  const program = join(folder, 'holdpoint', 'dist', 'holdpoint.cjs')
  const { stdout, status } = spawnSync(process.execPath, ['--require', counter, program, ...words], {
    cwd: join(folder, 'project'),
    env: {
      PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter),
      HOME: join(folder, 'home'),
      COUNTED: file,
    },
    encoding: 'utf8',
  })
  return { ...JSON.parse(readFileSync(file, 'utf8')), stdout, status }
}

const PROCESSES_OR_NETWORK = /child_process|worker_threads|cluster|http|tls|dns|dgram/

it('holdpoint --version reads its own file, and nothing else', () => {
  const { stdout, status, modules, ...work } = counted('--version')
  expect({ stdout, status }).toEqual({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/), status: 0 })
  expect(work).toEqual({ compiledBytes: 0, filesRead: 1, filesWritten: 0 })
  expect(modules.filter((name) => /crypto|child_process|zlib|module$/.test(name))).toEqual([])
})

describe.each([
  { name: 'test', words: ['test', 'rm -rf x'], says: 'ALLOWED\n', bytes: 730_000, files: 14 },
  { name: 'status', words: ['status'], says: 'NOT GUARDED', bytes: 560_000, files: 82 },
])('holdpoint $name', ({ words, says, bytes, files }) => {
  it('compiles only what it needs where nothing may be kept, and starts no process', () => {
    // The first one may also make a plan.
    counted(...words)
    const { stdout, modules, compiledBytes, filesRead } = counted(...words)
    expect(stdout).toContain(says)
    expect(modules.filter((name) => PROCESSES_OR_NETWORK.test(name))).toEqual([])
    expect(compiledBytes).toBeLessThan(bytes)
    expect(filesRead).toBeLessThan(files)
    expect(readdirSync(join(folder, 'holdpoint', 'dist'))).not.toContain('code-cache')
  })

  it('compiles nothing at its second start where compiled code is kept', () => {
    const caches = join(folder, 'holdpoint', 'dist', 'code-cache')
    mkdirSync(caches)
    try {
      const first = counted(...words)
      expect(first.compiledBytes).toBeGreaterThan(bytes)
      const second = counted(...words)
      expect(second).toMatchObject({ stdout: first.stdout, status: first.status, compiledBytes: 0 })
    } finally {
      rmSync(caches, { recursive: true })
    }
  })
})
