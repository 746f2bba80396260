import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { percentile } from './rate.mjs'

/** Says which process started it: this one, or the worker. */
const HOOK = `import os
def hook(event):
    return {'decision': 'deny', 'reason': str(os.getppid())}
`
const CALL = { agent_id: 'a', tool_name: 'Write', tool_input: { file_path: 'a.txt' } }

/** Runs the hooks of one call. */
export async function managerIn(root, folder) {
  const { GeneralHookManager, HookType } = await import(
    pathToFileURL(join(root, 'dist', 'lib', 'massgen.js'))
  )
  const manager = new GeneralHookManager({ cwd: folder, env: { PATH: process.env.PATH } })
  await manager.registerHooksFromConfig({ PreToolUse: [{ handler: 'guard.hook', type: 'python' }] })
  // What is loaded at the first call of any manager is not a part of the figure.
  await manager.executeHooks(HookType.POST_TOOL_USE, { ...CALL, tool_output: '' })
  return () => manager.executeHooks(HookType.PRE_TOOL_USE, CALL)
}

export async function timed(call) {
  const started = performance.now()
  const { reason } = await call()
  return { ms: performance.now() - started, isCold: reason === String(process.pid) }
}

/** A Python function as a hook: in a new Python, and forked from the worker, in turn. */
export async function measurePython(root, rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-python-'))
  writeFileSync(join(folder, 'guard.py'), HOOK)
  const once = join(import.meta.dirname, 'python-once.mjs')
  const coldMs = () => Number(spawnSync(process.execPath, [once, root, folder], { encoding: 'utf8' }).stdout)
  try {
    const call = await managerIn(root, folder)
    for (let tries = 0; (await timed(call)).isCold; tries += 1) {
      if (tries === 500) return undefined
      await sleep(20)
    }
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

export function pythonRows(times) {
  const base = times && percentile(times.cold, 50)
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
