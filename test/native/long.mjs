// Tests of the native client that take too long for every run: many more replies with the sanitized client, the same
// cases under valgrind and on the programs that users get (x64, and arm64 under qemu-user), and an input that stays
// open until the client gives up. Run `node test/native/long.mjs`; scripts/native-packages.sh installs what it needs.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildNative } from '../../scripts/build-native.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const seed = process.env.HOLDPOINT_FUZZ_SEED ?? '20251'

/** Cases that valgrind itself changes: it sets LD_PRELOAD, starts through a shell, and opens closed descriptors. */
const NOT_UNDER_VALGRIND = [
  'with arguments, folder, environment',
  'a folder that was deleted',
  'closed together with',
]

/**
 * The library would be loaded into qemu itself, /proc/self/exe is qemu, and a case that kills its client starts it
 * without qemu. test/native/pack.test.ts shows that the program is static.
 */
const NOT_UNDER_QEMU = ['by a preloaded library', 'without arguments from its home', 'ends with the client']

/**
 * @param {string} title
 * @param {readonly string[]} files
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [without]
 */
function vitest(title, files, env, without = []) {
  console.log(`native: ${title}`)
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'vitest.long.config.ts',
    ...files.map((name) => `test/native/${name}.test.ts`),
  ]
  if (without.length > 0) args.push('-t', `^(?!.*(?:${without.join('|')}))`)
  const all = { ...process.env, ...env }
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: all }).status === 0
}

/**
 * Expects exit code 2, although the input is never closed and the deadline is far away.
 * @param {string} title
 * @param {string} [target]
 * @param {readonly string[]} [through]
 */
async function inputThatStaysOpen(title, target, through = []) {
  console.log(`native: an input that stays open, ${title}`)
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-long-'))
  const client = await buildNative({ outFile: join(folder, 'holdpoint-hook'), target })
  if (client === undefined) return false
  const [program = client, ...words] = [...through, client, 'claude-code', '--home', folder]
  const child = spawn(program, [...words, '--deadline-ms', '120000'])
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(giveUp)
  rmSync(folder, { recursive: true })
  return code === 2 && said.includes('no answer in time')
}

const CASES = ['fuzz', 'reply', 'streams', 'one-shot']

/** Runs the cases with the program for arm64, if this machine is x64. */
async function emulatedArm64() {
  const env = { HOLDPOINT_NATIVE_CLIENT: 'arm64', HOLDPOINT_FUZZ_RUNS: '500', HOLDPOINT_FUZZ_SEED: seed }
  return [
    vitest('arm64 under qemu-user', CASES, env, NOT_UNDER_QEMU),
    await inputThatStaysOpen('arm64', 'linux-arm64', ['qemu-aarch64']),
  ]
}

const runs = process.env.HOLDPOINT_FUZZ_RUNS ?? '3000'
const results = [
  vitest(`${runs} replies, seed ${seed}`, ['fuzz'], { HOLDPOINT_FUZZ_RUNS: runs, HOLDPOINT_FUZZ_SEED: seed }),
  vitest(
    'valgrind',
    ['fuzz', 'reply', 'streams'],
    { HOLDPOINT_NATIVE_CLIENT: 'valgrind', HOLDPOINT_FUZZ_RUNS: '60' },
    NOT_UNDER_VALGRIND,
  ),
  vitest('the release build', CASES, { HOLDPOINT_NATIVE_CLIENT: 'release', HOLDPOINT_FUZZ_SEED: seed }),
  await inputThatStaysOpen('the release build'),
  ...(process.platform === 'linux' && process.arch === 'x64' ? await emulatedArm64() : []),
]
console.log(results.includes(false) ? 'native: FAILED' : 'native: all held')
if (results.includes(false)) process.exit(1)
