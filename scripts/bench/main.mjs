// `npm run bench [-- --rounds N] [-- --write]`: every figure as a ratio or a rate measured in this one run, in a clean
// environment, because variables set on a machine can triple Node's start-up. `--write` renews
// docs/reference/benchmarks.md and its plots.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { batchRows, measureBatch } from './batch.mjs'
import { installPeers } from './contenders.mjs'
import {
  burstRows,
  handlerRows,
  measureBursts,
  measureHandlers,
  measureThroughput,
  throughputRows,
} from './daemon.mjs'
import { engineRows } from './engine.mjs'
import { growthRows, measureGrowth } from './growth.mjs'
import { inProcessRows, measureInProcess } from './in-process.mjs'
import { openInstallation } from './installation.mjs'
import { journalRows } from './journal.mjs'
import { learnRows, measureLearning } from './learn.mjs'
import { libraryRows, measureLibrary } from './library.mjs'
import { mcpRows, measureMcp } from './mcp.mjs'
import { measureMemory, memoryRows } from './memory.mjs'
import { packageRows } from './package.mjs'
import { callRows, measureCalls } from './process.mjs'
import { measurePython, measurePythonCalls, pythonCallRows, pythonRows } from './python.mjs'
import { printSection, writeReport } from './report.mjs'
import { measureSdk, sdkRows } from './sdk.mjs'
import { shellRows } from './shell.mjs'
import { targetRows } from './targets.mjs'
import { buildTools } from './tools.mjs'

const root = join(import.meta.dirname, '..', '..')
const CLEAN = 'HOLDPOINT_BENCH_CLEAN'

if (process.env[CLEAN] === undefined) {
  // Here, because the registry may be set in the environment.
  installPeers()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, [CLEAN]: '1' }
  const { status } = spawnSync(process.execPath, [import.meta.filename, ...process.argv.slice(2)], {
    env,
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2000' }, write: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a number of rounds')
/** A quick run is quick in all its parts. */
const measuredMs = rounds >= 500 ? 5_000 : 1_500

const sections = []
const add = (section) => {
  sections.push(section)
  printSection(section)
}

const installation = await openInstallation(root)
// Its daemon answers over HTTP and would never exit.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void installation.close().finally(() => process.exit(1)))
}
const figures = {}
try {
  const tools = buildTools(join(installation.folder, 'tools'))
  figures.calls = await measureCalls(installation, tools, rounds)
  add(callRows(figures.calls, rounds))
  if (tools === undefined) process.stdout.write('\nNo C compiler: the daemon under load is not measured.\n')
  else {
    figures.throughput = measureThroughput(installation, tools, measuredMs)
    add(throughputRows(figures.throughput))
    if (installation.program === 'native') {
      figures.bursts = await measureBursts(installation, tools)
      add(burstRows(figures.bursts))
    }
    add(handlerRows(measureHandlers(installation, tools, measuredMs)))
    figures.memory = await measureMemory(installation, tools, rounds >= 500 ? 100_000 : 10_000)
    add(memoryRows(figures.memory))
  }
  figures.batch = measureBatch(root, installation)
  add(batchRows(figures.batch))
  add(inProcessRows(await measureInProcess(root, installation, rounds)))
  add(pythonCallRows(measurePythonCalls(root, installation, rounds)))
} finally {
  await installation.close()
}
figures.library = await measureLibrary(root)
add(libraryRows(figures.library))
figures.python = await measurePython(root, rounds >= 500 ? 200 : 20)
add(pythonRows(figures.python))
add(sdkRows(await measureSdk(root, rounds)))
add(mcpRows(await measureMcp(root, rounds)))
figures.learn = await measureLearning(root, rounds >= 500 ? 100_000 : 40_000)
add(learnRows(figures.learn))
for (const measure of [engineRows, shellRows, journalRows, packageRows]) add(await measure(root))
figures.growth = await measureGrowth(root)
add(growthRows(figures.growth))
const targets = targetRows(figures)
printSection(targets)

if (values.write) writeReport(join(root, 'docs', 'reference'), [targets, ...sections], figures)
