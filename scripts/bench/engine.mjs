import { builtModule } from '../built-module.mjs'
import { asyncPerSecond, perSecond, rate } from './rate.mjs'

/**
 * Decisions per second inside one process: match, run, combine.
 * @param {import('./amounts.mjs').Amounts} amounts
 * @returns {Promise<import('./report.mjs').Section>}
 */
export async function engineRows(amounts) {
  const { evaluate } = await builtModule('src/core/engine/evaluate.ts')
  const { engineOf } = await builtModule('src/library/testing/hooks.ts')
  const { actorOf, bash, frozenFacts } = await builtModule('src/library/testing/events.ts')
  const event = bash('ls')
  const around = {
    actor: actorOf(event),
    facts: frozenFacts(),
    memory: {},
    budgetMs: 1000,
    now: () => performance.now(),
  }
  /** @typedef {import('../../src/library/testing/hooks.ts').CallableHook} CallableHook */
  /** @type {CallableHook} */
  const nothing = { run: () => undefined }
  /** @type {(i: number) => CallableHook} */
  const elsewhere = (i) => ({ ...nothing, match: { subject: { kind: 'names', names: [`Tool${i}`] } } })

  /** @param {readonly CallableHook[]} hooks */
  const measure = async (hooks) => {
    const { engine } = await engineOf(hooks)
    return perSecond(() => evaluate(engine, event, around), amounts.rate)
  }
  const rows = []
  let ofTen = Number.NaN
  for (const count of [1, 10, 100, 1000]) {
    const each = await measure([nothing, ...Array.from({ length: count - 1 }, (_, i) => elsewhere(i))])
    if (count === 10) ofTen = each
    rows.push([
      `${count} hooks, one matches`.padEnd(32),
      rate(each),
      count === 1000 ? `${(ofTen / each).toFixed(2)}x slower than 10` : '',
    ])
  }
  rows.push(['10 sync functions, all match'.padEnd(32), rate(await measure(Array(10).fill(nothing))), ''])
  rows.push([
    '10 sync, one denies'.padEnd(32),
    rate(await measure([...Array(9).fill(nothing), { run: () => ({ effect: 'deny', reason: 'no' }) }])),
    '',
  ])
  rows.push(['100 sync functions, all match'.padEnd(32), rate(await measure(Array(100).fill(nothing))), ''])
  const { engine } = await engineOf(Array(10).fill({ run: async () => undefined }))
  rows.push([
    '10 async functions, all match'.padEnd(32),
    rate(await asyncPerSecond(() => evaluate(engine, event, around), amounts.rate)),
    '',
  ])
  return {
    title: 'Decisions in one process',
    head: ['plan', 'decisions/s', ''],
    rows,
    note: 'Target: 10 sync functions at least 500,000/s; 1,000 hooks that cannot match at most 2x slower than 10.',
  }
}
