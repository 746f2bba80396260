import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { breachOf, type Point } from '../growth/law.ts'
import { buildClient, type ClientHome, createHome, removeClient, run } from './client.ts'
import { type FakeDaemon, replying, startFakeDaemon } from './fake-daemon.ts'

/**
 * How many instructions the client takes, counted by valgrind: the program that users get, with a daemon that answers.
 * It hands bytes on without looking at them, so what grows is the number of system calls and of larger buffers.
 */

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
/** Less than one copy of the bytes would take, eight of them at a time. */
const BYTE_MAX = 0.1

let client: string
let home: ClientHome
let daemon: FakeDaemon | undefined
beforeAll(() => {
  client = buildClient('release')
})
afterAll(() => removeClient(client))
beforeEach(() => {
  home = createHome()
})
afterEach(async () => {
  await daemon?.stop()
  daemon = undefined
  home.remove()
})

/** Its input is a file: how a pipe is filled differs from run to run. */
async function instructionsOf(command: readonly string[], input: string, output: string): Promise<number> {
  const [inFile, outFile] = [join(home.path, 'input'), join(home.path, 'counted')]
  writeFileSync(inFile, input)
  const through = ['/bin/sh', '-c', `exec "$0" "$@" < '${inFile}'`]
  const valgrind = ['valgrind', '-q', '--tool=callgrind', `--callgrind-out-file=${outFile}`]
  const [program = '', ...args] = command
  const { exitCode, stdout } = await run(program, args, { through: [...through, ...valgrind] })
  expect([exitCode, stdout.length]).toEqual([0, output.length])
  const counted = /^totals: (\d+)$/m.exec(readFileSync(outFile, 'utf8'))?.[1]
  rmSync(outFile)
  return Number(counted)
}

async function curveOf(count: (size: number) => Promise<number>, sizes = SIZES): Promise<readonly Point[]> {
  const points: Point[] = []
  for (const size of sizes) points.push({ size, work: await count(size) })
  return points
}

/** Why it is not as it must be, or undefined. */
function breachIn(points: readonly Point[]): string | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return 'no points'
  const perByte = (last.work - first.work) / (last.size - first.size)
  return (
    breachOf('logarithmic', points) ?? (perByte > BYTE_MAX ? `${perByte} instructions a byte` : undefined)
  )
}

describe('the instructions of the client hardly grow with', () => {
  it('the length of the event', async () => {
    daemon = await startFakeDaemon(home.run, replying({ exitCode: 0, stdout: '{}\n', stderr: '' }))
    const points = await curveOf((size) => instructionsOf([client, ...home.args()], 'x'.repeat(size), '{}\n'))
    expect(breachIn(points)).toBeUndefined()
  })

  it('the length of the answer', async () => {
    const points = await curveOf(async (size) => {
      await daemon?.stop()
      const stdout = 'x'.repeat(size)
      daemon = await startFakeDaemon(home.run, replying({ exitCode: 0, stdout, stderr: '' }))
      return instructionsOf([client, ...home.args()], '{}', stdout)
    })
    expect(breachIn(points)).toBeUndefined()
  })
})

describe('a program is refused that', () => {
  /** With the bytes of standard input in `text`, as many as `length`. */
  function compiled(body: string): string {
    const program = join(home.path, 'worse')
    const source = `#include <unistd.h>
static char text[1 << 20];
int main(void) {
  volatile long seen = 0;
  long length = 0, got;
  while ((got = read(0, text + length, sizeof text - (size_t)length)) > 0) length += got;
  ${body}
  return 0;
}
`
    execFileSync('cc', ['-O1', '-x', 'c', '-', '-o', program], { input: source })
    return program
  }

  it.each<[string, string, readonly number[]]>([
    ['looks at each byte', 'for (long i = 0; i < length; i++) seen += text[i];', SIZES],
    [
      'goes back to the start for each byte',
      'for (long i = 0; i < length; i++) for (long j = 0; j < i; j += 8) seen += text[j];',
      [100, 1_000, 10_000],
    ],
  ])('%s', async (_, body, sizes) => {
    const program = compiled(body)
    const points = await curveOf((size) => instructionsOf([program], 'x'.repeat(size), ''), [...sizes])
    expect(breachIn(points)).toContain('not logarithmic')
  })
})
