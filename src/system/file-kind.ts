import { statSync } from 'node:fs'

export function isFile(path: string): boolean {
  return infoOf(path)?.isFile() ?? false
}

export function isFolder(path: string): boolean {
  return infoOf(path)?.isDirectory() ?? false
}

function infoOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // A command line is often longer than a file name can be.
    return undefined
  }
}
