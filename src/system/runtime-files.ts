import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isObject } from '../core/json.ts'
import { clientName } from './programs.ts'

/** A file of the installed copy: its source and its target. */
export interface RuntimeFile {
  readonly from: string
  readonly to: string
}

/** The parts of the package that hooks, daemon and command line need. The library is for programs that import it. */
const PARTS = ['package.json', 'LICENSE', 'README.md', 'dist', 'skills', 'docs', 'demo', 'schema'] as const
const LEFT_OUT: ReadonlySet<string> = new Set(['dist/lib', 'dist/types', 'dist/code-cache'])
const CLIENTS = 'dist/native/'

/** All files of the copy, in a fixed order: those of the package, then those of the packages that it loads. */
export function runtimeFiles(root: string): readonly RuntimeFile[] {
  const own = PARTS.flatMap((part) => filesBelow(join(root, part), part))
  const packages = [...packagesOf(root, new Map())].flatMap(([name, folder]) =>
    filesBelow(folder, `node_modules/${name}`),
  )
  return [...own, ...packages, ...fleetFiles(root)].sort((a, b) => (a.to < b.to ? -1 : 1))
}

/** The package for fleets is loaded by the daemon, if it is installed. Everything it needs is in its `dist`. */
function fleetFiles(root: string): readonly RuntimeFile[] {
  const folder = findPackage(FLEET, root)
  if (folder === undefined) return []
  return ['package.json', 'LICENSE', 'dist'].flatMap((part) =>
    filesBelow(join(folder, part), `node_modules/${FLEET}/${part}`),
  )
}

const FLEET = '@holdpoint/fleet'

/** `init` can be run from the copy too, and then writes the client again. */
function isOfAnotherPlatform(to: string): boolean {
  return to.startsWith(CLIENTS) && to !== `${CLIENTS}${clientName(process.platform, process.arch)}`
}

function filesBelow(from: string, to: string): readonly RuntimeFile[] {
  if (LEFT_OUT.has(to) || isOfAnotherPlatform(to) || !existsSync(from)) return []
  if (!statSync(from).isDirectory()) return [{ from, to }]
  // Nested packages are looked up one by one, because another package manager may have installed them differently.
  const names = readdirSync(from).filter((name) => name !== 'node_modules')
  return names.flatMap((name) => filesBelow(join(from, name), `${to}/${name}`))
}

/** The packages that a package loads, and their packages, by name. Packages that are not installed are left out. */
function packagesOf(root: string, found: Map<string, string>): ReadonlyMap<string, string> {
  for (const name of dependenciesOf(root)) {
    if (found.has(name)) continue
    const folder = findPackage(name, root)
    if (folder === undefined) continue
    found.set(name, folder)
    packagesOf(folder, found)
  }
  return found
}

function dependenciesOf(root: string): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (!isObject(manifest)) return []
  const lists = [manifest.dependencies, manifest.optionalDependencies].filter(isObject)
  return lists.flatMap((list) => Object.keys(list))
}

/** The folder of a package for the code in `root`, with any package manager: npm, the links of pnpm, or yarn. */
function findPackage(name: string, root: string): string | undefined {
  const require = createRequire(join(realpathSync(root), 'package.json'))
  for (const request of [`${name}/package.json`, name]) {
    try {
      return folderOf(require.resolve(request), name)
    } catch {
      // Not installed, or its package.json is not among its exports.
    }
  }
  return undefined
}

function folderOf(file: string, name: string): string | undefined {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === name) return folder
  }
  return undefined
}
