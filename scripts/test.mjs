// `npm test`: types, lint, unused code, build and all tests. `npm test -- force-push`: only the tests of one guard, host,
// folder or file, without a build. Options after the names go to vitest: `npm test -- force-push --bail 1`.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './step.mjs'
import { selectTests } from './test-selection.mjs'

const root = join(fileURLToPath(import.meta.url), '..', '..')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

const given = process.argv.slice(2)
const firstOption = given.findIndex((word) => word.startsWith('-'))
const names = firstOption === -1 ? given : given.slice(0, firstOption)
const options = given.slice(names.length)

if (names.length === 0) {
  // The build needs no answer of the checks, and does not check the types a second time.
  await Promise.all([
    runBeside('npm', ['run', 'check']),
    runBeside('npm', ['run', 'build'], { HOLDPOINT_BUILD_UNCHECKED: '1' }),
  ])
  step(process.execPath, [vitest, 'run', ...options], { HOLDPOINT_ONE_FORM: '1' })
} else {
  const { files, only, unknown } = selectTests(names, sources())
  if (unknown.length > 0) {
    console.error(`No guard, program, host or test file matches: ${unknown.join(', ')}.`)
    console.error('Try part of its path, for example `npm test -- src/hosts/codex`.')
    console.error(
      'For a file of the long suite: `npx vitest run --config vitest.long.config.ts <part of its path>`.',
    )
    process.exit(1)
  }
  step(process.execPath, [vitest, 'run', ...files, ...options], { HOLDPOINT_TEST_ONLY: only.join(',') })
}

function sources() {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name.split(sep).join('/')}`),
  )
}

/**
 * Prints what the step printed when it has ended, and ends this process if it failed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runBeside(program, args, env = {}) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  /** @type {Buffer[]} */
  const parts = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part))
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  process.stdout.write(Buffer.concat(parts))
  if (status !== 0) process.exit(status ?? 1)
}
