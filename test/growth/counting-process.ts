import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargeBuiltIns, charged } from './charges.ts'
import type { Dimension, Subject } from './dimension.ts'
import type { Point } from './law.ts'

/**
 * Counts the work of one dimension in a process of its own: `counting-process.mjs <bundle> <id> <size>...` prints the
 * points as JSON. Of its own, because it replaces built-in functions, and because V8 counts only code that was compiled
 * after it was told to.
 */
const [bundle = '', id = '', ...sizes] = process.argv.slice(2)
const session = new Session()
session.connect()
post('Profiler.enable')
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const { DIMENSIONS } = (await import(bundle)) as { DIMENSIONS: readonly Dimension[] }
const dimension = DIMENSIONS.find((each) => each.id === id)
if (dimension === undefined) throw new Error(`there is no dimension ${id}`)
const counter = { steps: countSteps, bytes: countBytes }[dimension.counts]
if (dimension.counts === 'steps') chargeBuiltIns()

const points: Point[] = []
for (const size of sizes.map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-growth-'))
  const subject = await dimension.prepare(size, folder)
  await subject.warmUp?.()
  points.push({ size, work: await counter(subject) })
  subject.close?.()
  rmSync(folder, { recursive: true })
}
process.stdout.write(JSON.stringify(points))

async function countSteps({ run }: Subject): Promise<number> {
  blocksEntered()
  const before = charged.elements
  await run()
  const elements = charged.elements - before
  return blocksEntered() + elements
}

/** Since it was asked last. */
function blocksEntered(): number {
  const { result } = post('Profiler.takePreciseCoverage') as Coverage
  let sum = 0
  for (const { url, functions } of result) {
    if (url !== bundle) continue
    for (const { ranges } of functions) for (const { count } of ranges) sum += count
  }
  return sum
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

async function countBytes({ run }: Subject): Promise<number> {
  const before = bytesMoved()
  await run()
  // Reading this file is itself a read of some hundred bytes, in every count alike.
  return bytesMoved() - before
}

function bytesMoved(): number {
  const text = readFileSync('/proc/self/io', 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1])
  return bytes('rchar') + bytes('wchar')
}

/** The answer of the inspector in the same process comes before `post` returns. */
function post(method: string, parameters: object = {}): unknown {
  let answer: unknown
  session.post(method, parameters, (error, result) => {
    if (error !== null) throw new Error(error.message)
    answer = result
  })
  return answer
}
