import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { isObject, type Json } from '../json.ts'
import { specifiersIn } from './module-imports.ts'

/** What running a module means, in files. */
export interface ModuleFiles {
  /** The file to load. Undefined: there is none. */
  readonly entry: string | undefined
  /** Every file whose change changes the module, also those that would count if they appeared. */
  readonly files: readonly string[]
  /** False: it loads files nobody can name before it runs. */
  readonly isClear: boolean
  /** True: Node itself can load all of it, without a compiler. */
  readonly isNative: boolean
}

/**
 * The files a module consists of: its own and all it reaches by relative import. What it takes from packages is the
 * package manager's affair. It reads, and never runs, what it finds.
 */
export function moduleFiles(module: string, root: string): ModuleFiles {
  const start = isPath(module) ? { entry: resolve(root, module), files: [] } : findPackage(module, root)
  const found: Found = { files: new Set(start.files), isClear: true, isNative: true, bytes: 0 }
  const entry = start.entry !== undefined && isFile(start.entry) ? realpathSync(start.entry) : undefined
  if (start.entry !== undefined) visit(start.entry, found)
  return { entry, files: [...found.files], isClear: found.isClear, isNative: found.isNative }
}

interface Found {
  readonly files: Set<string>
  isClear: boolean
  isNative: boolean
  bytes: number
}

/** Far more than any policy has. */
const FILES_MAX = 1_000
const ALL_MAX_BYTES = 4 * 1024 * 1024

const SCRIPT = /\.[cm]?[jt]sx?$/
const DATA = /\.(?:json|node|wasm)$/
const OWN_NAME = /^holdpoint(?:\/|$)/

/** A package is named without a dot, a slash or a script's extension at the right end. */
function isPath(module: string): boolean {
  return /^\.{0,2}\//.test(module) || (SCRIPT.test(module) && !module.startsWith('@'))
}

function visit(path: string, found: Found): void {
  if (found.files.has(path)) return
  found.files.add(path)
  if (!isFile(path)) return
  const real = realpathSync(path)
  found.files.add(real)
  if (/\.[cm]?tsx?$|\.jsx$/.test(real)) found.isNative = false
  // A file of any other name may be loaded as a script too.
  if (DATA.test(real)) return
  const text = readWithin(real, found)
  if (text === undefined) {
    found.isClear = false
    return
  }
  const { specifiers, computed } = specifiersIn(text)
  // Inside a package the files are not the project's own, and computed names are everyday.
  if (computed && !real.includes('/node_modules/')) found.isClear = false
  for (const specifier of specifiers) follow(specifier, real, found)
}

function readWithin(path: string, found: Found): string | undefined {
  try {
    found.bytes += statSync(path).size
    if (found.bytes > ALL_MAX_BYTES || found.files.size > FILES_MAX) return undefined
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function follow(specifier: string, from: string, found: Found): void {
  if (OWN_NAME.test(specifier)) found.isNative = false
  if (UNCLEAR.test(specifier) && !from.includes('/node_modules/')) found.isClear = false
  if (!/^\.{1,2}(?:\/|$)|^\//.test(specifier)) return
  const target = isAbsolute(specifier) ? specifier : resolve(dirname(from), specifier)
  if (specifier !== '.' && specifier !== '..' && !specifier.endsWith('/') && isFile(target)) {
    visit(target, found)
    return
  }
  // Without the exact file, what the loader takes depends on what is there: all of it counts, missing files too.
  found.isNative = false
  for (const candidate of candidatesFor(target)) visit(candidate, found)
}

/**
 * Aliases of a package.json can point anywhere; an address, and a path with signs of one (`?v=1`, `%61`), is not the
 * path it looks like.
 */
const UNCLEAR = /^#|^\s*(?:file|data):|^\s*\.{0,2}\/.*[?#%\\\t]|^\s+\.{0,2}\//i

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.json'] as const

function candidatesFor(target: string): readonly string[] {
  const extension = extname(target)
  const typed = /^\.[cm]?jsx?$/.test(extension)
    ? [target, `${target.slice(0, -extension.length)}${extension.replace('j', 't')}`, `${target}.ts`]
    : [target]
  if (typed.length > 1) return typed
  const folder = isFolder(target) ? EXTENSIONS.map((each) => join(target, `index${each}`)) : []
  return [...typed, ...EXTENSIONS.map((each) => `${target}${each}`), ...folder]
}

/** The file a package offers under this name, looked up as Node does, from `root` upwards. */
function findPackage(module: string, root: string): { entry: string | undefined; files: readonly string[] } {
  const [name, subpath] = splitName(module)
  const files: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', name)
    files.push(join(home, 'package.json'))
    if (isFile(join(home, 'package.json'))) {
      const target = targetIn(readJson(join(home, 'package.json')), subpath)
      return { entry: target === undefined ? undefined : resolve(home, target), files }
    }
    if (dirname(folder) === folder) return { entry: undefined, files: files.slice(0, 1) }
  }
}

function splitName(module: string): readonly [name: string, subpath: string] {
  const parts = module.split('/')
  const length = module.startsWith('@') ? 2 : 1
  return [parts.slice(0, length).join('/'), ['.', ...parts.slice(length)].join('/')]
}

function targetIn(manifest: Json | undefined, subpath: string): string | undefined {
  if (!isObject(manifest)) return undefined
  const { exports } = manifest
  if (exports !== undefined && exports !== null) {
    const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
    if (!isMap) return subpath === '.' ? pick(exports) : undefined
    return Object.hasOwn(exports, subpath) ? pick(exports[subpath]) : undefined
  }
  if (subpath !== '.') return subpath
  return typeof manifest.main === 'string' && manifest.main !== '' ? manifest.main : 'index.js'
}

const CONDITIONS: readonly string[] = ['node', 'import', 'module-sync', 'default', 'require']

/** Conditions count in the order the package wrote them. */
function pick(target: Json | undefined): string | undefined {
  if (typeof target === 'string') return target
  if (Array.isArray(target)) return target.map(pick).find((each) => each !== undefined)
  if (!isObject(target)) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const picked = CONDITIONS.includes(condition) ? pick(inner) : undefined
    if (picked !== undefined) return picked
  }
  return undefined
}

function readJson(path: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Json
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    // A file where a folder should be, a name too long, a NUL character.
    return false
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}
