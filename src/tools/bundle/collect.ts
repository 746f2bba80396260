import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ArchiveFiles, pathFault } from '../../config/bundle/archive.ts'
import { BUNDLE_CONFIG, MANIFEST, SIGNATURES } from '../../config/bundle/manifest.ts'
import { bad, good, type Result } from '../../core/errors.ts'
import { isLink, readRegularFile } from '../../system/regular-file.ts'

const FILE_MAX_BYTES = 4 * 1024 * 1024
const ALL_MAX_BYTES = 12 * 1024 * 1024
/** What a work tree has next to a policy, and no machine needs. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '.git',
  '.gitignore',
  '.DS_Store',
  'config.local.yaml',
  'node_modules',
])

/** All files of a policy folder. Refuses what an archive cannot say: links, odd names, more than a few megabytes. */
export function collectFiles(folder: string): Result<ArchiveFiles> {
  const files = new Map<string, Buffer>()
  let left = ALL_MAX_BYTES
  const visit = (path: string): Result<void> => {
    let entries: readonly string[]
    try {
      entries = readdirSync(join(folder, path)).sort()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return bad('CONFIG_UNREADABLE', `The folder cannot be read: ${why}.`, { file: join(folder, path) })
    }
    for (const name of entries.filter((each) => !LEFT_OUT.has(each))) {
      const at = path === '' ? name : `${path}/${name}`
      const added = add(at)
      if (!added.ok) return added
    }
    return good(undefined)
  }
  const add = (path: string): Result<void> => {
    const file = join(folder, path)
    const fault = pathFault(path)
    if (fault !== undefined) return bad('BUNDLE_INVALID', `The path ${path} ${fault}.`, { file, fix: RENAME })
    if (isLink(file)) {
      return bad('BUNDLE_INVALID', 'This is a link, and a bundle has none.', {
        file,
        fix: 'Replace the link by the file itself.',
      })
    }
    if (path === MANIFEST || path === SIGNATURES) {
      return bad('BUNDLE_INVALID', `The name ${path} belongs to the bundle itself.`, { file, fix: RENAME })
    }
    const read = readRegularFile(file, Math.min(FILE_MAX_BYTES, left))
    if (read.kind === 'read') {
      left -= read.content.length
      files.set(path, read.content)
      return good(undefined)
    }
    if (read.kind === 'special') return visit(path)
    const message =
      read.kind === 'too-large'
        ? 'This file is too large: a bundle has at most 12 MB.'
        : 'This file cannot be read.'
    return bad('BUNDLE_INVALID', message, { file, fix: 'Remove it from the folder, or make it smaller.' })
  }
  const visited = visit('')
  if (!visited.ok) return visited
  if (files.has(BUNDLE_CONFIG)) return good(files)
  return bad('CONFIG_UNREADABLE', `There is no ${BUNDLE_CONFIG} in this folder.`, {
    file: folder,
    fix: `Write the policy of the fleet to ${BUNDLE_CONFIG}, and its tests to tests/*.yaml.`,
  })
}

const RENAME = 'Rename the file.'
