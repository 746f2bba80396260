import { packedModule } from '../built-module.mjs'
import { asyncPerSecond, perSecond, rate } from './rate.mjs'

/** @typedef {() => undefined | { readonly deny: string } | Promise<undefined>} Run */

const EVENT = /** @type {const} */ ({
  kind: 'PreToolUse',
  session: 'bench',
  tool: { name: 'Bash', input: { command: 'ls -la' } },
})

/**
 * The library as a program uses it, compared with direct calls of the same functions.
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureLibrary({ rate: timing }) {
  const { createRuntime } = await packedModule('lib/index.js')
  /** @param {readonly Run[]} runs */
  const runtimeOf = (runs) => {
    const runtime = createRuntime({ cwd: '/', env: {} })
    for (const run of runs) runtime.register({ on: 'PreToolUse', run })
    return runtime
  }
  /** @type {readonly Run[]} */
  const sync = Array.from({ length: 10 }, () => () => undefined)
  /** @type {readonly Run[]} */
  const later = Array.from({ length: 10 }, () => async () => undefined)
  const denying = [...sync.slice(1), () => ({ deny: 'no' })]
  const [pass, wait, deny] = [runtimeOf(sync), runtimeOf(later), runtimeOf(denying)]
  const bare = perSecond(() => sync.map((run) => run()), timing)
  const bareLater = await asyncPerSecond(() => Promise.all(later.map((run) => run())), timing)
  return [
    { what: '10 sync functions, bare', perSecond: bare, bare },
    { what: '10 sync functions', perSecond: perSecond(() => pass.evaluate(EVENT), timing), bare },
    { what: '10 sync functions, one denies', perSecond: perSecond(() => deny.evaluate(EVENT), timing), bare },
    { what: '10 async functions, bare', perSecond: bareLater, bare: bareLater },
    {
      what: '10 async functions',
      perSecond: await asyncPerSecond(() => wait.evaluate(EVENT), timing),
      bare: bareLater,
    },
  ]
}

/**
 * @param {Awaited<ReturnType<typeof measureLibrary>>} measured
 * @returns {import('./report.mjs').Section}
 */
export function libraryRows(measured) {
  return {
    title: 'The library',
    head: ['hooks', 'events/s', 'µs an event', 'bare / with the engine'],
    rows: measured.map(({ what, perSecond: times, bare }) => [
      what.padEnd(32),
      rate(times),
      (1_000_000 / times).toFixed(2),
      times === bare ? '' : `${(bare / times).toFixed(1)}x`,
    ]),
    note: 'One process, one core: `runtime.evaluate` with functions that have no opinion. Bare: the same functions are called directly, and awaited if they are async. With the engine, each event is also copied and frozen, and its session is looked up. Target: 500,000 sync, 150,000 async.',
  }
}
