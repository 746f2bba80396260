import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { simulateFleet } from './fleet.ts'
import { measureIngest } from './ingest.ts'
import { measureQueries } from './query.ts'

/**
 * `npm run bench:fleet -- ingest|fleet|query`. Each prints its figures as JSON at the end; docs/reference/fleet-benchmarks.md
 * has those of the last run.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    machines: { type: 'string', default: '1000,3000,10000' },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '5' },
    most: { type: 'string', default: '60000' },
    rows: { type: 'string', default: '50000000' },
    poll: { type: 'string', default: '30' },
    rate: { type: 'string', default: '0.7' },
    active: { type: 'string', default: '0.3' },
    'no-faults': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})
const print = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
// What an enrollment may not say is not read, and the machines would never ask.
if (Number(values.poll) < 10) {
  print('A machine does not ask more often than every ten seconds: --poll 10')
  process.exit(64)
}
const sizes = values.machines.split(',').map(Number)
const results: unknown[] = []
/** A long run that is ended early has said what it found so far. */
const found = (result: unknown) => {
  results.push(result)
  print(JSON.stringify(result))
}

switch (positionals[0]) {
  case 'ingest':
    for (const machines of sizes) {
      found(
        await measureIngest({
          machines,
          seconds: Number(values.seconds),
          warmUpSeconds: Number(values['warm-up']),
          recordsPerSecondMax: Number(values.most),
          print,
        }),
      )
    }
    break
  case 'fleet':
    for (const machines of sizes) {
      found(
        await simulateFleet({
          machines,
          minutes: Number(values.minutes),
          pollSeconds: Number(values.poll),
          faults: !values['no-faults'],
          recordsPerSecond: Number(values.rate),
          activeShare: Number(values.active),
          print,
        }),
      )
    }
    break
  case 'query':
    found(await measureQueries(Number(values.rows), print))
    break
  default:
    print('Which part? npm run bench:fleet -- ingest|fleet|query')
    process.exit(64)
}
const text = `${JSON.stringify(results, null, 2)}\n`
process.stdout.write(text)
if (values.out !== undefined) {
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, text)
}
process.exit(0)
