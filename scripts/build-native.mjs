// Builds the native client from native/*.c. The client is optional: without a compiler the hook is a Node process.
//   node scripts/build-native.mjs [outFile] [release|debug|sanitize] [NAME_TO_DEFINE...] [--target linux-arm64]
//   node scripts/build-native.mjs --all     one client for each platform that can be built here, into dist/native
import { execFile } from 'node:child_process'
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
  const wanted = CLIENT_TARGETS.filter((target) => target === HOST || LINUX_CPUS.has(target))
  const built = await Promise.all(
    wanted.map(async (target) => ({
      target,
      file: await buildNative({ outFile: join(ROOT, clientFile(target)), target }),
    })),
  )
  return built.filter(({ file }) => file !== undefined).map(({ target }) => target)
}

const WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']

const VARIANTS = {
  release: ['-Os', '-Wl,-s'],
  debug: ['-g', '-O0'],
  sanitize: ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
}

/**
 * The path of the program, or undefined when no compiler here can build it. `target` is `linux-x64`, `linux-arm64` or
 * the platform this runs on. `define` switches parts of the source off, to test the code that replaces them.
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
    const tried = names.length === 0 ? 'this machine has no compiler for it' : `tried ${names.join(', ')}`
    console.error(`native: no client for ${target} (${tried}). The hook runs as a Node process instead.`)
    return undefined
  }
  const defines = define.map((name) => `-D${name}`)
  const files = (await readdir(SOURCES)).filter((name) => name.endsWith('.c')).sort()
  const sources = files.map((name) => join(SOURCES, name))
  await run(compiler, ['-std=c11', ...WARNINGS, ...flags, ...defines, ...sources, '-o', outFile])
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
  return [...VARIANTS[variant], ...(isStatic ? STATIC : [])]
}

/** In one piece: a page for each kind of section would be a third of so small a program. */
const STATIC = ['-static', '-fno-asynchronous-unwind-tables', '-Wl,-z,noseparate-code']

/**
 * The best first: with musl a static program is a tenth of the size and starts twice as fast as with glibc.
 * @param {string} target
 * @param {keyof typeof VARIANTS} variant
 */
function compilersFor(target, variant) {
  if (target.startsWith('win32-')) return []
  const isHost = target === HOST
  const cpu = LINUX_CPUS.get(target)
  const musl = cpu === undefined ? [] : [`${cpu}-linux-musl-gcc`, ...(isHost ? ['musl-gcc'] : [])]
  const usual = isHost ? ['cc', 'gcc', 'clang'] : cpu === undefined ? [] : [`${cpu}-linux-gnu-gcc`]
  const chosen = isHost && process.env.CC ? [process.env.CC] : []
  return [...chosen, ...(variant === 'release' ? musl : []), ...usual]
}

/**
 * The first that is installed and supports the flags: many systems have no static libc.
 * @param {readonly string[]} names
 * @param {readonly string[]} flags
 * @param {string} outFile
 */
async function findCompiler(names, flags, outFile) {
  for (const name of names) {
    if (await canBuild(name, flags, `${outFile}.probe`)) return name
  }
  return undefined
}

/**
 * @param {string} compiler
 * @param {readonly string[]} flags
 * @param {string} outFile
 */
async function canBuild(compiler, flags, outFile) {
  const building = run(compiler, [...flags, '-x', 'c', '-', '-o', outFile])
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
