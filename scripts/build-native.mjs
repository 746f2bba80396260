// Builds the native client from native/*.c. It is optional: without a compiler everything works, slower.
//   node scripts/build-native.mjs [outFile] [release|debug|sanitize] [NAME_TO_DEFINE...]
import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'native')

const WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror']

const VARIANTS = {
  // Static: starts faster than /bin/true, and no LD_PRELOAD reaches it. Apple has no static libc.
  release: ['-Os', ...(process.platform === 'darwin' ? [] : ['-static']), '-Wl,-s'],
  debug: ['-g', '-O0'],
  sanitize: ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
}

/**
 * The path of the program, or undefined when there is no compiler. `define` switches parts of the source off, for
 * tests of what stands in for them.
 */
export async function buildNative({ outFile, variant = 'release', define = [] }) {
  const flags = VARIANTS[variant]
  if (flags === undefined) {
    throw new Error(`There is no variant "${variant}": ${Object.keys(VARIANTS).join(', ')}.`)
  }
  await mkdir(dirname(resolve(outFile)), { recursive: true })
  const compiler = await findCompiler(flags, outFile)
  if (compiler === undefined) {
    console.log('native: $CC, cc, gcc, clang: none makes such a program; the hook stays a Node process.')
    return undefined
  }
  const defines = define.map((name) => `-D${name}`)
  const files = (await readdir(SOURCES)).filter((name) => name.endsWith('.c')).sort()
  const sources = files.map((name) => join(SOURCES, name))
  await run(compiler, ['-std=c11', ...WARNINGS, ...flags, ...defines, ...sources, '-o', outFile])
  return outFile
}

/** One that is there and has what the flags need: many systems come without a static libc. */
async function findCompiler(flags, outFile) {
  for (const name of [process.env.CC, 'cc', 'gcc', 'clang']) {
    if (name && (await canBuild(name, flags, outFile))) return name
  }
  return undefined
}

function canBuild(compiler, flags, outFile) {
  const building = run(compiler, [...flags, '-x', 'c', '-', '-o', outFile])
  building.child.stdin?.on('error', () => {})
  building.child.stdin?.end('int main(void) { return 0; }')
  return building.then(
    () => true,
    () => false,
  )
}

if (process.argv[1] === import.meta.filename) {
  const [outFile = join(ROOT, 'dist', 'native', 'holdpoint-hook'), variant, ...define] = process.argv.slice(2)
  const built = await buildNative({ outFile, variant, define })
  if (built !== undefined) console.log(built)
}
