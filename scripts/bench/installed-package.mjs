import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The package as users get it: packed, and installed by npm into an empty folder.
 * @typedef {{ readonly tarball: string, readonly modules: string, readonly program: string }} InstalledPackage
 */

/**
 * @param {string} root
 * @param {string} folder
 * @returns {InstalledPackage}
 */
export function installPackage(root, folder) {
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: 'ignore',
  })
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const words = ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${name}`]
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const modules = join(folder, 'node_modules')
  return {
    tarball: join(folder, name),
    modules,
    program: join(modules, 'holdpoint', 'dist', 'holdpoint.cjs'),
  }
}
