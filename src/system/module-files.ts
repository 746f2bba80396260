import { realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, isAbsolute, join, resolve } from 'node:path'
import { isFile, isFolder } from './file-kind.ts'
import { specifiersIn } from './module-imports.ts'
import { mainOf, ownPackage, readManifest, splitName, targetIn } from './own-packages.ts'
import { readRegularText } from './regular-file.ts'

/** The files that running a module would load. */
export interface ModuleFiles {
  /** The file to load; undefined if there is none. */
  readonly entry: string | undefined
  /** Every file whose change changes the module, including missing files that would be loaded if they appeared. */
  readonly files: readonly string[]
  /** Files that are not code, but whose change may add other files. */
  readonly watched: readonly string[]
  /** False if it loads files whose names are unknown before it runs. */
  readonly isClear: boolean
  /** True if Node itself can load all of it, without a compiler. */
  readonly isNative: boolean
  /** The entries of Holdpoint that it imports, such as `holdpoint/shell`. */
  readonly own: readonly string[]
}

/**
 * The files of a module: its own, and all that it reaches by relative import, by the name of its own package or by the
 * name of a workspace. Files of other packages are left to the package manager. The files are read and never run.
 */
export function moduleFiles(module: string, root: string): ModuleFiles {
  const start = isPath(module) ? { entry: resolve(root, module), files: [] } : findPackage(module, root)
  const found: Found = {
    ...{ files: new Set(start.files), watched: new Set(), own: new Set() },
    ...{ isClear: true, isNative: true, bytes: 0 },
  }
  const entry = start.entry !== undefined && isFile(start.entry) ? realpathSync(start.entry) : undefined
  if (start.entry !== undefined) visit(start.entry, found)
  const { isClear, isNative } = found
  const [files, watched, own] = [[...found.files], [...found.watched], [...found.own]]
  return { entry, files, watched, isClear, isNative, own }
}

interface Found {
  readonly files: Set<string>
  readonly watched: Set<string>
  readonly own: Set<string>
  isClear: boolean
  isNative: boolean
  bytes: number
}

/** Far more than a real policy has. */
const FILES_MAX = 1_000
const ALL_MAX_BYTES = 4 * 1024 * 1024

const SCRIPT = /\.[cm]?[jt]sx?$/
const DATA = /\.(?:json|node|wasm)$/
const OWN_NAME = /^holdpoint(?:\/|$)/

/** The name of a package has no leading dot or slash, and no extension of a script. */
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
  // A file with any other name may be loaded as a script too.
  if (DATA.test(real)) return
  const text = readWithin(real, found)
  if (text === undefined) {
    found.isClear = false
    return
  }
  const { specifiers, computed } = specifiersIn(text)
  // The files of a package do not belong to the project, and computed names are common there.
  if (computed && !real.includes('/node_modules/')) found.isClear = false
  for (const specifier of specifiers) follow(specifier, real, found)
}

function readWithin(path: string, found: Found): string | undefined {
  try {
    found.bytes += statSync(path).size
    if (found.bytes > ALL_MAX_BYTES || found.files.size > FILES_MAX) return undefined
    return readRegularText(path, ALL_MAX_BYTES)
  } catch {
    return undefined
  }
}

function follow(specifier: string, from: string, found: Found): void {
  if (OWN_NAME.test(specifier)) {
    found.isNative = false
    found.own.add(specifier)
  }
  if (UNCLEAR.test(specifier) && !from.includes('/node_modules/')) found.isClear = false
  if (!/^\.{1,2}(?:\/|$)|^\//.test(specifier)) {
    followName(specifier, from, found)
    return
  }
  const target = isAbsolute(specifier) ? specifier : resolve(dirname(from), specifier)
  if (specifier !== '.' && specifier !== '..' && !specifier.endsWith('/') && isFile(target)) {
    visit(target, found)
    return
  }
  // Without the exact file name, the loader's choice depends on the existing files: all candidates count,
  // also missing ones.
  found.isNative = false
  for (const candidate of candidatesFor(target)) visit(candidate, found)
  // A folder is what its package.json says, even if that appears later.
  if (!isFolder(target)) return
  const manifest = join(target, 'package.json')
  visit(manifest, found)
  if (!isFile(manifest)) return
  const main = resolve(target, mainOf(readManifest(manifest)))
  for (const candidate of [main, ...candidatesFor(main)]) visit(candidate, found)
}

/** The name of a package: it may be this package itself, or a workspace of the same project. */
function followName(specifier: string, from: string, found: Found): void {
  if (isBuiltin(specifier) || OWN_NAME.test(specifier) || from.includes('/node_modules/')) return
  if (!NAME.test(specifier)) return
  const { own, watched } = ownPackage(specifier, from)
  for (const file of watched) found.watched.add(file)
  if (own === undefined) return
  visit(own.manifest, found)
  if (own.target === undefined) found.isClear = false
  else visit(own.target, found)
}

const NAME = /^(?:@[\w.~-]+\/)?[\w~][\w.~-]*(?:\/|$)/

/**
 * Aliases of a package.json can lead anywhere. An address, or a path with parts of one (`?v=1`, `%61`), is not the path
 * that it looks like.
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

/** The file that a package exports under this name, looked up as Node does, from `root` upwards. */
function findPackage(module: string, root: string): { entry: string | undefined; files: readonly string[] } {
  const [name, subpath] = splitName(module)
  const files: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', name)
    files.push(join(home, 'package.json'))
    if (isFile(join(home, 'package.json'))) {
      const target = targetIn(readManifest(join(home, 'package.json')), subpath)
      return { entry: target === undefined ? undefined : resolve(home, target), files }
    }
    if (dirname(folder) === folder) return { entry: undefined, files: files.slice(0, 1) }
  }
}
