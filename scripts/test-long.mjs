// `npm run test:long`: the long suite, on the build that is there if it is up to date. The native client under valgrind
// and qemu runs next to the other files.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const options = process.argv.slice(2)

if ((await run([join('scripts', 'built.mjs')])) !== 0) process.exit(1)
const codes = await Promise.all([
  run([join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', 'vitest.long.config.ts', ...options]),
  run([join('test', 'native', 'long.mjs')]),
])
process.exitCode = Math.max(...codes)

/**
 * @param {readonly string[]} words
 * @returns {Promise<number>}
 */
function run(words) {
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
