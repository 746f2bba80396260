import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Script } from 'node:vm'
import { BUILD_ID } from '../src/core/build-id.ts'
import { homeLayout } from '../src/system/home.ts'
import { COPY_MARK } from '../src/system/package.ts'

/**
 * The folder of compiled code that this program may use: made by `init` in the installed copy. A package manager's
 * folder has none, and nothing is written there. But the copy that `init` made from this very build has the same files,
 * so a command that is started from the package uses what is kept there.
 */
export function codeCacheFolder(isCommand: boolean): string | undefined {
  const own = `${__dirname}/code-cache`
  if (existsSync(own)) return own
  return isCommand ? folderOfCopy() : undefined
}

function folderOfCopy(): string | undefined {
  const copy = `${homeLayout(undefined, process.env).runtime}/current`
  try {
    const { build } = JSON.parse(readFileSync(`${copy}/${COPY_MARK}`, 'utf8'))
    const folder = `${copy}/dist/code-cache`
    return build === BUILD_ID && existsSync(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** What the script has compiled until now. Nothing with less than so many bytes. */
export function keepCompiled(script: Script, path: string, leastBytes: number): void {
  const data = script.createCachedData()
  if (data.length < leastBytes) return
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, data, { flag: 'wx', mode: 0o600 })
  renameSync(temporary, path)
}
