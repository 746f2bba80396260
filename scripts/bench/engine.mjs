import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { asyncPerSecond, perSecond, rate } from './rate.mjs'

/** Decisions per second inside one process: match, run, combine. */
export async function engineRows(root) {
  const load = (file) => import(pathToFileURL(join(root, 'build', file)))
  const { evaluate } = await load('core/engine/evaluate.js')
  const { engineOf } = await load('library/testing/hooks.js')
  const { actorOf, bash, frozenFacts } = await load('library/testing/events.js')
  const event = bash('ls')
  const around = {
    actor: actorOf(event),
    facts: frozenFacts(),
    memory: {},
    budgetMs: 1000,
    now: () => performance.now(),
  }
  const nothing = { run: () => undefined }
  const elsewhere = (i) => ({ ...nothing, match: { subject: { kind: 'names', names: [`Tool${i}`] } } })

  const measure = async (hooks) => {
    const { engine } = await engineOf(hooks)
    return perSecond(() => evaluate(engine, event, around))
  }
  const rows = []
  const rates = {}
  for (const count of [1, 10, 100, 1000]) {
    rates[count] = await measure([nothing, ...Array.from({ length: count - 1 }, (_, i) => elsewhere(i))])
    rows.push([
      `${count} hooks, one matches`.padEnd(32),
      rate(rates[count]),
      count === 1000 ? `${(rates[10] / rates[1000]).toFixed(2)}x slower than 10` : '',
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
    rate(await asyncPerSecond(() => evaluate(engine, event, around))),
    '',
  ])
  return {
    title: 'Decisions in one process',
    head: ['plan', 'decisions/s', ''],
    rows,
    note: 'Target: 10 sync functions at least 500,000/s; 1,000 hooks that cannot match at most 2x slower than 10.',
  }
}
