import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientFile } from '../build-native.mjs'
import { installPackage } from './installed-package.mjs'
import { percentile } from './rate.mjs'

/**
 * The size of the package: packed, installed by npm into an empty folder, and in memory when it is imported.
 * @param {string} root
 * @param {import('./amounts.mjs').Amounts} amounts
 * @returns {import('./report.mjs').Section}
 */
export function packageRows(root, { imports }) {
  const folder = mkdtempSync(join(tmpdir(), 'hp-bench-package-'))
  try {
    const { tarball, modules } = installPackage(root, folder)
    const packed = statSync(tarball).size
    const own = filesIn(join(modules, 'holdpoint'))
    const all = filesIn(modules)
    const client = statSync(join(root, clientFile(`${process.platform}-${process.arch}`)), {
      throwIfNoEntry: false,
    })
    const rows = [
      ['packed', megabytes(packed)],
      ['files', `${own.length}`],
      ['unpacked', megabytes(sum(own))],
      [`installed with what it needs, Node ${process.versions.node.split('.')[0]}`, megabytes(sum(all))],
      ['native client', client === undefined ? 'not built' : `${Math.round(client.size / 1000)} kB`],
      ['memory of `import "holdpoint"` over bare Node', megabytes(importBytes(folder, imports))],
    ]
    return {
      title: 'The package',
      head: ['what', 'size'],
      rows: rows.map(([name = '', value = '']) => [name.padEnd(28), value]),
      note: 'Bytes of files, not of disk blocks; 1 MB is 1,000,000 bytes. Of what is installed, 10 MB are libsql, which Node 22 and later do not need.',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
}

/** @param {readonly number[]} sizes */
const sum = (sizes) => sizes.reduce((total, size) => total + size, 0)
/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

/**
 * The median of several processes each: the memory of a new process varies by a megabyte.
 * @param {string} cwd
 * @param {number} count
 */
function importBytes(cwd, count) {
  /** @param {string} script */
  const rss = (script) => {
    const args = [
      '--expose-gc',
      '--input-type=module',
      '-e',
      `${script}; gc(); console.log(process.memoryUsage.rss())`,
    ]
    const once = () => Number(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }))
    return percentile(Array.from({ length: count }, once), 50)
  }
  return rss("import 'holdpoint'") - rss('')
}
