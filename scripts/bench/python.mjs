import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packedModule } from '../built-module.mjs'
import { percentile } from './rate.mjs'

/** Says which process started it: this one, or the worker. */
const HOOK = `import os
def hook(event):
    return {'decision': 'deny', 'reason': str(os.getppid())}
`
const CALL = { agent_id: 'a', tool_name: 'Write', tool_input: { file_path: 'a.txt' } }

/**
 * Runs the hooks of one call.
 * @param {string} folder
 */
export async function managerIn(folder) {
  const { GeneralHookManager, HookType } = await packedModule('lib/massgen.js')
  const manager = new GeneralHookManager({ cwd: folder, env: { PATH: process.env.PATH } })
  await manager.registerHooksFromConfig({ PreToolUse: [{ handler: 'guard.hook', type: 'python' }] })
  // What is loaded at the first call of any manager is not a part of the figure.
  await manager.executeHooks(HookType.POST_TOOL_USE, { ...CALL, tool_output: '' })
  return () => manager.executeHooks(HookType.PRE_TOOL_USE, CALL)
}

/** @param {Awaited<ReturnType<typeof managerIn>>} call */
export async function timed(call) {
  const started = performance.now()
  const { reason } = await call()
  return { ms: performance.now() - started, isCold: reason === String(process.pid) }
}

/**
 * A Python function as a hook: in a new Python, and forked from the worker, in turn.
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measurePython({ pythonRounds: rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-python-'))
  writeFileSync(join(folder, 'guard.py'), HOOK)
  const once = join(import.meta.dirname, 'python-once.mjs')
  const coldMs = () => Number(spawnSync(process.execPath, [once, folder], { encoding: 'utf8' }).stdout)
  try {
    const call = await managerIn(folder)
    for (let tries = 0; (await timed(call)).isCold; tries += 1) {
      if (tries === 500) return undefined
      await sleep(20)
    }
    /** @type {Record<'cold' | 'warm', number[]>} */
    const times = { cold: [], warm: [] }
    for (let round = 0; round < rounds; round += 1) {
      const cold = coldMs()
      await sleep(20)
      const warm = await timed(call)
      if (cold === 0 || warm.isCold) continue
      times.cold.push(cold)
      times.warm.push(warm.ms)
    }
    return times.warm.length === 0 ? undefined : times
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {Awaited<ReturnType<typeof measurePython>>} times
 * @returns {import('./report.mjs').Section}
 */
export function pythonRows(times) {
  const base = percentile(times?.cold ?? [], 50)
  /** @type {(name: string, all: readonly number[]) => string[]} */
  const row = (name, all) => [
    name.padEnd(28),
    `${(percentile(all, 50) / base).toFixed(3)}x`,
    ...[50, 90].map((p) => percentile(all, p).toFixed(2)),
  ]
  return {
    title: 'Python hooks',
    head: ['a `python` handler', 'p50 / cold start', 'p50 ms', 'p90 ms'],
    rows:
      times === undefined ? [] : [row('cold start', times.cold), row('forked from the worker', times.warm)],
    note:
      times === undefined
        ? 'Not measured: there is no python3, or it cannot be kept running.'
        : 'One function that denies, through `GeneralHookManager`; both are measured in turn. The worker is Python that is kept running and forks for each call.',
  }
}

/**
 * A tool call of a Python program behind the Python package, with the daemon of the installation.
 * @param {string} root
 * @param {import('./installation.mjs').Installation} installation
 * @param {import('./amounts.mjs').Amounts} amounts
 * @returns {Readonly<Record<'bare' | 'sync' | 'async', readonly number[]>> | undefined}
 */
export function measurePythonCalls(root, installation, { rounds }) {
  const program = join(import.meta.dirname, 'python-calls.py')
  const { status, stdout, stderr } = spawnSync(
    'python3',
    [program, installation.home.folder, installation.project, `${rounds}`],
    { env: { ...installation.env, PYTHONPATH: join(root, 'python', 'src') }, encoding: 'utf8' },
  )
  if (status === 0) return JSON.parse(stdout)
  process.stderr.write(stderr ?? '')
  return undefined
}

/**
 * @param {ReturnType<typeof measurePythonCalls>} times
 * @returns {import('./report.mjs').Section}
 */
export function pythonCallRows(times) {
  const base = times?.bare ?? []
  /** @type {(name: string, all: readonly number[]) => string[]} */
  const row = (name, all) => [
    name.padEnd(28),
    ...[50, 99].map((p) => Math.round(percentile(all, p)).toLocaleString('en')),
    ...[50, 99].map((p) =>
      all === base ? '' : Math.round(percentile(all, p) - percentile(base, p)).toLocaleString('en'),
    ),
  ]
  return {
    title: 'A tool call in Python',
    head: ['call', 'p50 µs', 'p99 µs', 'check p50 µs', 'check p99 µs'],
    rows:
      times === undefined
        ? []
        : [
            row('without a check', times.bare),
            row('`HookManager.execute`', times.sync),
            row('`HookManager.execute_async`', times.async),
          ],
    note:
      times === undefined
        ? 'Not measured: there is no python3.'
        : 'A tool that reads a small file, with a harmless command to check before it, by a warm daemon. Measured in turn in one Python process; "check" is the difference to a call without one.',
  }
}
