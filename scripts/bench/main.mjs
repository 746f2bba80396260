// `npm run bench [-- --rounds N] [-- --write]`: every figure as a ratio or a rate measured in this one run, in a clean
// environment, because variables set on a machine can triple Node's start-up. `--write` renews
// docs/reference/benchmarks.md and its plots. Fewer rounds do less in all parts; `--rounds 1` shows that every part runs.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { amountsFor, FULL_ROUNDS } from './amounts.mjs'
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
import { measureStartUp, startUpRows } from './start-up.mjs'
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
if (values.write && rounds < FULL_ROUNDS)
  throw new Error(`--write needs at least ${FULL_ROUNDS} rounds: the figures of fewer say little`)
const amounts = amountsFor(rounds)

/** @type {import('./report.mjs').Section[]} */
const sections = []
/** @param {import('./report.mjs').Section} section */
const add = (section) => {
  sections.push(section)
  printSection(section)
}

const installation = await openInstallation(root)
// Its daemon answers over HTTP and would never exit.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => void installation.close().finally(() => process.exit(1)))
}
const ofDaemon = await measureDaemon().finally(() => installation.close())
const library = await measureLibrary(amounts)
add(libraryRows(library))
const python = await measurePython(amounts)
add(pythonRows(python))
add(sdkRows(await measureSdk(root, amounts)))
add(mcpRows(await measureMcp(root, amounts)))
const learn = await measureLearning(root, amounts)
add(learnRows(learn))
for (const measure of [engineRows, shellRows, journalRows]) add(await measure(amounts))
add(packageRows(root, amounts))
const growth = await measureGrowth(root, amounts)
add(growthRows(growth))
const figures = { ...ofDaemon, library, python, learn, growth }
const targets = targetRows(figures)
printSection(targets)
if (rounds < FULL_ROUNDS)
  process.stdout.write(`\nFewer than ${FULL_ROUNDS} rounds: these figures say little.\n`)

if (values.write) writeReport(join(root, 'docs', 'reference'), [targets, ...sections], figures)

/** What needs the installation and its daemon. */
async function measureDaemon() {
  const tools = buildTools(join(installation.folder, 'tools'))
  const calls = await measureCalls(installation, tools, amounts)
  add(callRows(calls, rounds))
  const startUp = measureStartUp(installation, amounts)
  add(startUpRows(startUp))
  const loaded = await measureLoad(tools)
  const batch = measureBatch(root, installation, amounts)
  add(batchRows(batch))
  add(inProcessRows(await measureInProcess(installation, amounts)))
  add(pythonCallRows(measurePythonCalls(root, installation, amounts)))
  return { calls, startUp, batch, ...loaded }
}

/** @param {import('./tools.mjs').Tools | undefined} tools */
async function measureLoad(tools) {
  if (tools === undefined) {
    process.stdout.write('\nNo C compiler: the daemon under load is not measured.\n')
    return { throughput: undefined, bursts: undefined, memory: undefined }
  }
  const throughput = measureThroughput(installation, tools, amounts)
  add(throughputRows(throughput))
  const isNative = installation.program === 'native'
  const bursts = isNative ? await measureBursts(installation, tools, amounts) : undefined
  if (bursts !== undefined) add(burstRows(bursts))
  add(handlerRows(measureHandlers(installation, tools, amounts)))
  const memory = await measureMemory(installation, tools, amounts)
  add(memoryRows(memory))
  return { throughput, bursts, memory }
}
