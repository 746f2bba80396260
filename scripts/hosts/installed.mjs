// Whether a folder's packages are those of its lock file. Installing them again would replace programs that another test
// may be starting.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 */

/**
 * npm writes what it has installed into node_modules, when it has installed everything.
 * @param {string} folder
 */
export function isInstalled(folder) {
  const installed = packagesIn(join(folder, 'node_modules', '.package-lock.json'))
  if (installed === undefined) return false
  const { '': root, ...locked } = packagesIn(join(folder, 'package-lock.json')) ?? {}
  const named = Object.keys({ ...root?.dependencies, ...root?.optionalDependencies })
  return (
    Object.entries(locked).every(([path, entry]) => {
      const there = installed[path]
      // npm leaves out what does not fit this machine. What the folder itself names, and fits, must be there.
      if (there === undefined)
        return entry.optional === true && !(named.includes(path.slice('node_modules/'.length)) && fits(entry))
      return (
        there.version === entry.version &&
        there.integrity === entry.integrity &&
        existsSync(join(folder, path, 'package.json'))
      )
    }) && Object.keys(installed).every((path) => Object.hasOwn(locked, path))
  )
}

/** @param {Locked} entry */
function fits({ os = [process.platform], cpu = [process.arch] }) {
  return os.includes(process.platform) && cpu.includes(process.arch)
}

/**
 * @param {string} file
 * @returns {Readonly<Record<string, Locked>> | undefined}
 */
function packagesIn(file) {
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')).packages
}
