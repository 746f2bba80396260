import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chargedDuring } from './charges.ts'
import type { Dimension, Subject } from './dimension.ts'
import type { Point } from './law.ts'

/**
 * Counts work in a process of its own: `counting-process.mjs <bundle> steps|bytes <id>:<size>,<size>...` prints the
 * points of each dimension as JSON. Of its own, because it replaces built-in functions, and because V8 counts only code
 * that was compiled after it was told to.
 */
const [bundle = '', counts = '', ...asked] = process.argv.slice(2)
const session = new Session()
session.connect()
if (counts === 'steps') {
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}
const { DIMENSIONS } = (await import(bundle)) as { DIMENSIONS: readonly Dimension[] }

const curves: Record<string, readonly Point[]> = {}
for (const curve of asked) {
  const [id = '', sizes = ''] = curve.split(':')
  const dimension = DIMENSIONS.find((each) => each.id === id)
  if (dimension?.counts !== counts) throw new Error(`there is no dimension ${id} that counts ${counts}`)
  curves[id] = await pointsOf(dimension, sizes.split(',').map(Number))
}
process.stdout.write(JSON.stringify(curves))

async function pointsOf(dimension: Dimension, sizes: readonly number[]): Promise<readonly Point[]> {
  const points: Point[] = []
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-growth-'))
    try {
      const subject = await dimension.prepare(size, folder)
      await subject.warmUp?.()
      const work = await (dimension.counts === 'steps' ? countSteps(subject) : countBytes(subject))
      points.push({ size, work })
      subject.close?.()
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  return points
}

async function countSteps({ run }: Subject): Promise<number> {
  blocksEntered()
  const elements = await chargedDuring(run)
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
