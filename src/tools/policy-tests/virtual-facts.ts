import { posix } from 'node:path'
import type { Facts } from '../../core/facts.ts'

/**
 * The facts of this machine with another project: below the project's folder only these files exist; other
 * folders are as they are. Programs and modules that read files themselves do not see this.
 */
export function virtualFacts(real: Facts, files: Readonly<Record<string, string>>): Facts {
  const root = real.project
  const known = new Map(Object.entries(files).map(([path, text]) => [posix.resolve(root, path), text]))
  const at = (path: string) => posix.resolve(real.cwd, path)
  const isInside = (path: string) => path === root || path.startsWith(`${root === '/' ? '' : root}/`)
  return {
    ...real,
    readText: async (path, maxBytes = TEXT_MAX_BYTES) => {
      if (!isInside(at(path))) return real.readText(path, maxBytes)
      const text = known.get(at(path))
      return text !== undefined && Buffer.byteLength(text) <= maxBytes ? text : undefined
    },
    readNow: (path) => (isInside(at(path)) ? known.get(at(path)) : real.readNow?.(path)),
    stat: async (path) => {
      if (!isInside(at(path))) return real.stat(path)
      const modifiedMs = real.now().getTime()
      const text = known.get(at(path))
      if (text !== undefined) return { kind: 'file', sizeBytes: Buffer.byteLength(text), modifiedMs }
      return namesIn(at(path), known).length > 0 ? { kind: 'folder', sizeBytes: 0, modifiedMs } : undefined
    },
    list: async (path) => (isInside(at(path)) ? namesIn(at(path), known) : real.list(path)),
    realpath: (path) => (isInside(at(path)) ? at(path) : real.realpath(path)),
    branch: () => /^ref: refs\/heads\/(.+)$/m.exec(known.get(posix.join(root, '.git/HEAD')) ?? '')?.[1],
    recentCommits: async () => [],
  }
}

const TEXT_MAX_BYTES = 1024 * 1024

function namesIn(folder: string, known: ReadonlyMap<string, string>): readonly string[] {
  const prefix = folder === '/' ? '/' : `${folder}/`
  const below = [...known.keys()].filter((path) => path.startsWith(prefix))
  return [...new Set(below.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))].sort()
}
