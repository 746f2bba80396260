import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isObject, type Json } from '../core/json.ts'
import { isFile } from './file-kind.ts'
import { readRegularText } from './regular-file.ts'

/** The target of a package name, if that is the project's own code and not an installed package. */
export interface OwnPackage {
  /** The package.json that defines it, and the file that it names; undefined if the file cannot be named. */
  readonly manifest: string
  readonly target: string | undefined
}

export interface PackageLookup {
  readonly own: OwnPackage | undefined
  /** All package.json files that would change the result if they appeared or changed. */
  readonly watched: readonly string[]
}

/**
 * A package may import itself by its name, and a workspace is a link in node_modules. Both are files of the project that
 * no relative path names.
 */
export function ownPackage(specifier: string, from: string): PackageLookup {
  const [name, subpath] = splitName(specifier)
  const scope = scopeOf(dirname(from))
  const manifest = scope.found === undefined ? undefined : readManifest(scope.found)
  if (scope.found !== undefined && isObject(manifest) && manifest.name === name && manifest.exports != null) {
    return { own: offered(scope.found, manifest, subpath), watched: scope.watched }
  }
  const linked = linkedPackage(name, dirname(from))
  return {
    own: linked === undefined ? undefined : offered(linked, readManifest(linked), subpath),
    watched: scope.watched,
  }
}

function offered(file: string, manifest: Json | undefined, subpath: string): OwnPackage {
  const target = targetIn(manifest, subpath)
  return { manifest: file, target: target === undefined ? undefined : resolve(dirname(file), target) }
}

/** The nearest package.json upwards, and those that would be nearer. */
function scopeOf(start: string): { readonly found: string | undefined; readonly watched: readonly string[] } {
  const watched: string[] = []
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    watched.push(file)
    if (isFile(file)) return { found: file, watched }
    if (dirname(folder) === folder) return { found: undefined, watched }
  }
}

/** The package.json of a package that is not inside node_modules itself: a workspace. */
function linkedPackage(name: string, start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'package.json')
    if (isFile(file)) {
      const real = realpathSync(file)
      return real.includes('/node_modules/') ? undefined : real
    }
    if (dirname(folder) === folder) return undefined
  }
}

export function splitName(module: string): readonly [name: string, subpath: string] {
  const parts = module.split('/')
  const length = module.startsWith('@') ? 2 : 1
  return [parts.slice(0, length).join('/'), ['.', ...parts.slice(length)].join('/')]
}

export function targetIn(manifest: Json | undefined, subpath: string): string | undefined {
  if (!isObject(manifest)) return undefined
  const { exports } = manifest
  if (exports !== undefined && exports !== null) {
    const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
    if (!isMap) return subpath === '.' ? pick(exports) : undefined
    return Object.hasOwn(exports, subpath) ? pick(exports[subpath]) : undefined
  }
  if (subpath !== '.') return subpath
  return mainOf(manifest)
}

/** The file that a folder with this package.json resolves to. */
export function mainOf(manifest: Json | undefined): string {
  const main = isObject(manifest) ? manifest.main : undefined
  return typeof main === 'string' && main !== '' ? main : 'index.js'
}

const CONDITIONS: readonly string[] = ['node', 'import', 'module-sync', 'default', 'require']

/** Conditions count in the order in which the package wrote them. */
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

const MANIFEST_MAX_BYTES = 4 * 1024 * 1024

export function readManifest(path: string): Json | undefined {
  try {
    return JSON.parse(readRegularText(path, MANIFEST_MAX_BYTES) ?? '') as Json
  } catch {
    return undefined
  }
}
