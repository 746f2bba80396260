// What takes too long for every run of the tests: many more replies against the sanitized client, the same cases under
// valgrind, and an input that stays open for as long as the client waits at most. `node test/native/long.mjs`
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildNative } from '../../scripts/build-native.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const seed = process.env.HOLDPOINT_FUZZ_SEED ?? String(Date.now() % 1_000_000)

/** Cases about what valgrind itself changes: it sets LD_PRELOAD, starts through a shell, and opens closed descriptors. */
const NOT_UNDER_VALGRIND = ['words, folder, environment', 'a folder that is gone', 'closed together with']

function vitest(title, files, env, without = []) {
  console.log(`native: ${title}`)
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files.map((name) => `test/native/${name}.test.ts`),
  ]
  if (without.length > 0) args.push('-t', `^(?!.*(?:${without.join('|')}))`)
  const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } }
  return spawnSync(process.execPath, args, options).status === 0
}

/** Exit 2 although nobody ever closes its input and its deadline is far. */
async function inputThatStaysOpen() {
  console.log('native: an input that stays open')
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-long-'))
  const client = await buildNative({ outFile: join(folder, 'holdpoint-hook') })
  if (client === undefined) return false
  const child = spawn(client, ['claude-code', '--home', folder, '--deadline-ms', '120000'])
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

const runs = process.env.HOLDPOINT_FUZZ_RUNS ?? '3000'
const results = [
  vitest(`${runs} replies, seed ${seed}`, ['fuzz'], { HOLDPOINT_FUZZ_RUNS: runs, HOLDPOINT_FUZZ_SEED: seed }),
  vitest(
    'valgrind',
    ['fuzz', 'reply', 'streams'],
    { HOLDPOINT_VALGRIND: '1', HOLDPOINT_FUZZ_RUNS: '60' },
    NOT_UNDER_VALGRIND,
  ),
  await inputThatStaysOpen(),
]
console.log(results.includes(false) ? 'native: FAILED' : 'native: all held')
if (results.includes(false)) process.exit(1)
