// The folders in the root of src and what they import: for `npm run house`, and for the gate that finds cycles.
import { posix } from 'node:path'

/**
 * By folder, the other folders that its files import, types included. `texts`: path below src, and text.
 * @param {Iterable<readonly [file: string, text: string]>} texts
 * @returns {ReadonlyMap<string, ReadonlySet<string>>}
 */
export function importsByFolder(texts) {
  const inFolders = [...texts].filter(([file]) => file.includes('/'))
  /** @type {Map<string, Set<string>>} */
  const found = new Map(inFolders.map(([file]) => [folderOf(file), new Set()]))
  for (const [file, text] of inFolders) {
    for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const other = folderOf(posix.join(posix.dirname(file), path))
      if (other !== folderOf(file)) found.get(folderOf(file))?.add(other)
    }
  }
  return found
}

/**
 * Folders that can be reached from themselves.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} edges
 * @returns {readonly string[]}
 */
export function cyclesIn(edges) {
  /** @type {(from: string, seen?: Set<string>) => Set<string>} */
  const reach = (from, seen = new Set()) => {
    for (const next of edges.get(from) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      reach(next, seen)
    }
    return seen
  }
  return [...edges.keys()].filter((folder) => reach(folder).has(folder))
}

/**
 * The folder in the root of src; a file in the root is its own.
 * @param {string} file
 */
export function folderOf(file) {
  return file.slice(0, `${file}/`.indexOf('/'))
}
