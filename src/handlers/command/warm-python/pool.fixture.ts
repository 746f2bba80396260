import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { type Answer, type Failure, isFailure } from '../../../core/decision.ts'
import { actorOf, bash, frozenFacts } from '../../../library/testing/events.ts'
import { hookOf } from '../../../library/testing/hooks.ts'
import { createCommandHandler } from '../handler.ts'
import { createPythonPool, type PythonPool } from './pool.ts'

/** Hooks in Python, and a pool of workers for them: what the tests of the pool, short and long, have in common. */

export const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-warm-')))
const limits = { workersMax: 2, startMs: 1, idleMs: 60_000, lifeMs: 60_000 }
export const pools: PythonPool[] = []
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
/** The body of a function `hook(event)`, in its own module. */
export function python(body: string, head = ''): string {
  count += 1
  write(`warm${count}.py`, `${head}\ndef hook(event):\n    ${body.replaceAll('\n', '\n    ')}\n`)
  return `warm${count}.hook`
}

export function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

type Outcome = Answer | Failure | null

interface Bench {
  call(python: string, more?: { readonly env?: object; readonly stopsAfterMs?: number }): Promise<Outcome>
  /** The answer of a call that ran in a process of the worker, however long that takes to start. */
  warm(python: string, more?: { readonly env?: object; readonly stopsAfterMs?: number }): Promise<Outcome>
}

export const WHO = python("import os\nreturn {'decision': 'deny', 'reason': str(os.getppid())}")

export function bench(more: Partial<typeof limits> = {}, root = folder): Bench {
  const pool = createPythonPool({ ...limits, ...more })
  pools.push(pool)
  const tools = { guard: () => undefined, callable: () => undefined, searchPath: (path?: string) => path }
  const handler = createCommandHandler(tools, pool)
  const call: Bench['call'] = async (name, { env = {}, stopsAfterMs } = {}) => {
    const run = { type: 'command', protocol: 'massgen', root, python: name, env: ['SECRET'] }
    const runner = await handler.prepare(hookOf({ run, trusted: true }))
    if (typeof runner !== 'function') return runner
    const event = bash('ls', { cwd: root })
    const facts = frozenFacts({ cwd: root, project: root, env: { PATH: process.env.PATH, ...env } })
    const controller = new AbortController()
    if (stopsAfterMs !== undefined) setTimeout(() => controller.abort(), stopsAfterMs)
    const { signal } = controller
    return runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 20_000, signal })
  }
  const parent = async (env?: object) => reasonOf(await call(WHO, env === undefined ? {} : { env }))
  return {
    call,
    warm: async (name, options) => {
      const own = String(process.pid)
      await until(async () => (await parent(options?.env)) !== own)
      return call(name, options)
    },
  }
}

export function reasonOf(outcome: Outcome): string | undefined {
  return outcome !== null && !isFailure(outcome) ? outcome.reason : undefined
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}
