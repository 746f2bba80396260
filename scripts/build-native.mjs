// Builds the native client from native/*.c. The client is optional: without a compiler the hook is a Node process.
//   node scripts/build-native.mjs [outFile] [release|debug|sanitize] [NAME_TO_DEFINE...] [--target linux-arm64]
//   node scripts/build-native.mjs --all     one client for each platform that can be built here, into dist/native
// Those for macOS are built anywhere after `npm ci --prefix .ci/zig`.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'native')

/** The platform this runs on, written like the other targets: `linux-x64`. */
const HOST = `${process.platform}-${process.arch}`

/** Linux targets that can be built on another machine, with the processor's name in compiler names. */
const LINUX_CPUS = new Map([
  ['linux-x64', 'x86_64'],
  ['linux-arm64', 'aarch64'],
])

/** Targets of macOS as Zig names them. Node.js 20 needs the same version of macOS. */
const MAC_TARGETS = new Map([
  ['darwin-x64', 'x86_64-macos.11.0'],
  ['darwin-arm64', 'aarch64-macos.11.0'],
])

/** A compiler with all headers of macOS. Too large to be installed with everything else, and needed only for a release. */
const ZIG_PACKAGES = join(ROOT, '.ci', 'zig', 'node_modules')
const ZIG = join(ZIG_PACKAGES, '.bin', 'zig')
/** What it has compiled of the libraries, beside it instead of in the home of the user. */
const env = { ...process.env, ZIG_GLOBAL_CACHE_DIR: join(ZIG_PACKAGES, '.cache') }

/** The platforms whose client is in the package. */
export const CLIENT_TARGETS = /** @type {const} */ ([
  'linux-x64',
  'linux-arm64',
  'darwin-x64',
  'darwin-arm64',
])

/**
 * Where the package has the client of a platform. `src/system/programs.ts` looks for it there.
 *
 * @example clientFile('linux-x64') // 'dist/native/holdpoint-hook-linux-x64'
 * @param {string} target
 */
export function clientFile(target) {
  return `dist/native/holdpoint-hook-${target}`
}

/** Builds the clients of all platforms that a compiler of this machine can build, and returns their names. */
export async function buildClients() {
  const wanted = CLIENT_TARGETS.filter(
    (target) => target === HOST || LINUX_CPUS.has(target) || (MAC_TARGETS.has(target) && existsSync(ZIG)),
  )
  const built = await Promise.all(
    wanted.map(async (target) => ({
      target,
      file: await buildNative({ outFile: join(ROOT, clientFile(target)), target }),
    })),
  )
  return built.filter(({ file }) => file !== undefined).map(({ target }) => target)
}

const WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']

/** Nothing of the libc that is not called, and nothing for a debugger. */
const SMALLER = [
  ...['-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections'],
  ...['-fno-asynchronous-unwind-tables', '-Wl,--build-id=none'],
  // In one piece: a page for each kind of section would be a third of so small a program.
  '-Wl,-z,noseparate-code',
]

const VARIANTS = {
  release: ['-Os', '-Wl,-s'],
  debug: ['-g', '-O0'],
  sanitize: ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
}

/**
 * The path of the program, or undefined when no compiler here can build it. `target` is one of `CLIENT_TARGETS` or the
 * platform this runs on. `define` switches parts of the source off, to test the code that replaces them.
 *
 * @example await buildNative({ outFile: 'client', target: 'linux-arm64' })
 * @param {object} options
 * @param {string} options.outFile
 * @param {string} [options.variant]
 * @param {readonly string[]} [options.define]
 * @param {string | undefined} [options.target]
 */
export async function buildNative({ outFile, variant = 'release', define = [], target = HOST }) {
  if (!isVariant(variant)) {
    throw new Error(`Unknown variant "${variant}". Use one of: ${Object.keys(VARIANTS).join(', ')}.`)
  }
  await mkdir(dirname(resolve(outFile)), { recursive: true })
  // An older program must not be mistaken for this one.
  await rm(outFile, { force: true })
  const flags = flagsFor(target, variant)
  const names = compilersFor(target, variant)
  const compiler = await findCompiler(names, flags, outFile)
  if (compiler === undefined) {
    const missing = MAC_TARGETS.has(target)
      ? 'run `npm ci --prefix .ci/zig`'
      : 'this machine has no compiler for it'
    const tried = names.length === 0 ? missing : `tried ${names.map(([program]) => program).join(', ')}`
    console.error(`native: no client for ${target} (${tried}). The hook runs as a Node process instead.`)
    return undefined
  }
  const defines = define.map((name) => `-D${name}`)
  const files = (await readdir(SOURCES)).filter((name) => name.endsWith('.c')).sort()
  const sources = files.map((name) => join(SOURCES, name))
  const [program, ...words] = compiler
  await run(program, [...words, '-std=c11', ...WARNINGS, ...flags, ...defines, ...sources, '-o', outFile], {
    env,
  })
  return outFile
}

/**
 * @param {string} name
 * @returns {name is keyof typeof VARIANTS}
 */
function isVariant(name) {
  return Object.hasOwn(VARIANTS, name)
}

/**
 * Static on Linux: it starts faster, and LD_PRELOAD has nothing to load into. macOS has no static libc.
 * @param {string} target
 * @param {keyof typeof VARIANTS} variant
 */
function flagsFor(target, variant) {
  const isStatic = variant === 'release' && !target.startsWith('darwin-')
  return [...VARIANTS[variant], ...(isStatic ? ['-static', ...SMALLER] : [])]
}

/** A program and its first words. @typedef {readonly [program: string, ...words: string[]]} Compiler */

/**
 * The best first: with musl a static program is a tenth of the size and starts twice as fast as with glibc.
 * @param {string} target
 * @param {keyof typeof VARIANTS} variant
 * @returns {readonly Compiler[]}
 */
function compilersFor(target, variant) {
  if (target.startsWith('win32-')) return []
  const isHost = target === HOST
  const cpu = LINUX_CPUS.get(target)
  const musl = cpu === undefined ? [] : [`${cpu}-linux-musl-gcc`, ...(isHost ? ['musl-gcc'] : [])]
  const usual = isHost ? ['cc', 'gcc', 'clang'] : cpu === undefined ? [] : [`${cpu}-linux-gnu-gcc`]
  const chosen = isHost && process.env.CC ? [process.env.CC] : []
  const own = [...chosen, ...(variant === 'release' ? musl : []), ...usual].map(
    (program) => /** @type {Compiler} */ ([program]),
  )
  const mac = MAC_TARGETS.get(target)
  /** @type {readonly Compiler[]} */
  const zig = mac === undefined || !existsSync(ZIG) ? [] : [[ZIG, 'cc', '-target', mac]]
  return [...own, ...zig]
}

/**
 * The first that is installed and supports the flags: many systems have no static libc.
 * @param {readonly Compiler[]} compilers
 * @param {readonly string[]} flags
 * @param {string} outFile
 */
async function findCompiler(compilers, flags, outFile) {
  for (const compiler of compilers) {
    if (await canBuild(compiler, flags, `${outFile}.probe`)) return compiler
  }
  return undefined
}

/**
 * @param {Compiler} compiler
 * @param {readonly string[]} flags
 * @param {string} outFile
 */
async function canBuild([program, ...words], flags, outFile) {
  const building = run(program, [...words, ...flags, '-x', 'c', '-', '-o', outFile], { env })
  building.child.stdin?.on('error', () => {})
  building.child.stdin?.end('#include <stdio.h>\nint main(void) { return puts("") < 0; }\n')
  const built = await building.then(
    () => true,
    () => false,
  )
  await rm(outFile, { force: true })
  return built
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { target: { type: 'string', default: HOST }, all: { type: 'boolean', default: false } },
  })
  const { target } = values
  const [outFile = join(ROOT, clientFile(target)), variant = 'release', ...define] = positionals
  if (values.all) for (const each of await buildClients()) console.log(clientFile(each))
  else {
    const built = await buildNative({ outFile, variant, define, target })
    if (built !== undefined) console.log(built)
  }
}
