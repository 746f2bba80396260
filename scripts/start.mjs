// `npm start`: builds dist/ unless it is there and up to date, then plays `holdpoint demo` from it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './build-id.mjs'

const root = join(fileURLToPath(import.meta.url), '..', '..')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  end(
    `Node.js ${process.versions.node} is too old. Install Node.js 20.19 or newer, then run \`npm start\` again.`,
  )
}
if (!['esbuild', 'typescript'].every((name) => existsSync(join(root, 'node_modules', name)))) {
  end('The dependencies are not installed. Run `npm ci` first, then `npm start` again.')
}
if (!isBuilt(root)) {
  process.stdout.write('Building dist/. This is done once, and again when the sources change.\n')
  const code = await run('scripts/build.mjs')
  if (code > 128) process.exit(code)
  if (code !== 0) end('The build failed: see above. If a package is missing, run `npm ci`.', code)
  process.stdout.write('\n')
}
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
process.exitCode = await run(bin.holdpoint, 'demo')

/**
 * Runs a Node program in this terminal. It ends first, also on Ctrl-C: the demo has to clean up.
 * @param {string} file
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function run(file, ...args) {
  const child = spawn(process.execPath, [join(root, file), ...args], { stdio: 'inherit' })
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => child.kill(signal)
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, pass)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      for (const each of signals) process.off(each, pass)
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}

/**
 * @param {string} why
 * @param {number} [code]
 */
function end(why, code = 1) {
  process.stderr.write(`holdpoint: ${why}\n`)
  process.exit(code)
}
