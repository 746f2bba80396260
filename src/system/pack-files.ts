import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isFile } from './file-kind.ts'
import { moduleFiles } from './module-files.ts'
import { readManifest } from './own-packages.ts'
import type { ReachedFiles } from './reached-files.ts'

/** Far more than a package of policies has. */
const FILES_MAX = 1_000

/**
 * The files of a pack: those that its module reaches, and of a package all files, because its code may load any of
 * them. Packages that it depends on are left to the package manager, as for modules.
 */
export function packFiles(module: string, root: string): ReachedFiles {
  const { entry, files, watched, isClear } = moduleFiles(module, root)
  const folder = entry === undefined ? undefined : packageFolder(entry)
  if (folder === undefined) return { files, watched, isClear }
  const found: string[] = []
  const folders = [folder]
  for (const each of folders) {
    for (const item of readdirSync(each, { withFileTypes: true })) {
      const path = join(each, item.name)
      if (item.isDirectory() && item.name !== 'node_modules') folders.push(path)
      else if (!item.isDirectory()) found.push(path)
    }
    if (found.length + folders.length > FILES_MAX) return { files, watched, isClear: false }
  }
  return { files: [...new Set([...files, ...found.sort()])], watched: [...watched, ...folders], isClear }
}

/** The folder of the installed package that a file belongs to; undefined if it is a file of the project. */
function packageFolder(file: string): string | undefined {
  const real = realpathSync(file)
  if (!real.includes('/node_modules/')) return undefined
  for (let folder = dirname(real); folder.includes('/node_modules/'); folder = dirname(folder))
    if (isFile(join(folder, 'package.json'))) return folder
  return undefined
}

/** The versions of Holdpoint that the package of a module works with: `engines.holdpoint`. */
export function neededHoldpoint(module: string, root: string): unknown {
  const { entry } = moduleFiles(module, root)
  if (entry === undefined) return undefined
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'package.json'))
    if (typeof manifest !== 'object' || manifest === null || !('name' in manifest)) continue
    const { engines } = manifest
    return typeof engines === 'object' && engines !== null && 'holdpoint' in engines
      ? engines.holdpoint
      : undefined
  }
  return undefined
}
