import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeReply, encodeReply, GREETING } from '../../src/daemon/protocol.ts'
import { buildClient, type ClientHome, createHome, oneShot, type Ran, removeClient, run } from './client.ts'
import { answering, type FakeDaemon, startFakeDaemon } from './fake-daemon.ts'

/**
 * Whatever a daemon sends, cut at any byte: the agent gets exactly the complete reply, or the hook runs without the
 * daemon. `HOLDPOINT_FUZZ_RUNS` sets the number of runs, and `HOLDPOINT_FUZZ_SEED` the seed.
 */
const numRuns = Number(process.env.HOLDPOINT_FUZZ_RUNS ?? 120)
const seed = Number(process.env.HOLDPOINT_FUZZ_SEED ?? 20_251)

let client: string
let home: ClientHome
let daemon: FakeDaemon
/** The pieces that the next connection gets. */
let pieces: readonly Buffer[] = []
beforeAll(async () => {
  client = buildClient('sanitize')
  home = createHome()
  daemon = await startFakeDaemon(home.run, (calls) => (socket) => {
    const [first = GREETING, ...rest] = pieces
    answering(rest, first)(calls)(socket)
  })
})
afterAll(async () => {
  await daemon.stop()
  home.remove()
  removeClient(client)
})

const TEXTS_MAX_BYTES = 64 * 1024 * 1024

/** The expected result, written a second time in another language. */
function expected(sent: Buffer): Ran {
  const isGreeted = sent.subarray(0, GREETING.length).equals(GREETING)
  const body = sent.subarray(GREETING.length)
  if (!isGreeted || body.length < 12 || body.readUInt32LE(0) > 255) return oneShot(2)
  if (body.readUInt32LE(4) + body.readUInt32LE(8) > TEXTS_MAX_BYTES) return oneShot(2)
  const [out, err] = [body.readUInt32LE(4), body.readUInt32LE(8)]
  if (decodeReply(body) === undefined) return oneShot(2)
  return {
    exitCode: body.readUInt32LE(0),
    stdout: body.toString('latin1', 12, 12 + out),
    stderr: body.toString('latin1', 12 + out, 12 + out + err),
  }
}

const wellFormed = fc
  .record({
    exitCode: fc.oneof(fc.constantFrom(0, 1, 2, 255), fc.nat(400)),
    stdout: fc.oneof(
      fc.string(),
      fc.nat(200_000).map((length) => 'o'.repeat(length)),
    ),
    stderr: fc.oneof(
      fc.string(),
      fc.nat(9_000).map((length) => 'e'.repeat(length)),
    ),
  })
  .map((reply) => Buffer.concat([GREETING, encodeReply(reply)]))

const mutated = fc
  .tuple(
    wellFormed,
    fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { minLength: 1, maxLength: 3 }),
    fc.integer({ min: -20, max: 20 }),
  )
  .map(([reply, changes, growth]) => {
    const bytes = Buffer.alloc(Math.max(0, reply.length + growth), 'z')
    reply.copy(bytes)
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
    return bytes
  })

const numbered = fc
  .tuple(fc.array(fc.oneof(fc.nat(40), fc.maxSafeNat()), { minLength: 3, maxLength: 3 }), fc.uint8Array())
  .map(([numbers, rest]) => {
    const header = Buffer.alloc(12)
    for (const [i, number] of numbers.entries()) header.writeUInt32LE(number % 2 ** 32, 4 * i)
    return Buffer.concat([GREETING, header, rest])
  })

const noise = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes))

const sendings = fc.tuple(
  fc.oneof(wellFormed, mutated, numbered, noise),
  fc.array(fc.nat(60), { maxLength: 6 }),
)

function cut(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const edges = [0, ...at.toSorted((a, b) => a - b).filter((edge) => edge < bytes.length), bytes.length]
  return edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge))
}

it(
  'whatever the daemon sends, the client prints the complete reply or nothing of it',
  async () => {
    let whole = 0
    let doubtful = 0
    await fc.assert(
      fc.asyncProperty(sendings, async ([sent, edges]) => {
        pieces = cut(sent, edges)
        const answer = expected(sent)
        if (answer.stdout === oneShot(2).stdout) doubtful += 1
        else whole += 1
        expect(await run(client, home.args(), { stdin: '{}' })).toEqual(answer)
      }),
      { numRuns, seed },
    )
    // Both kinds of answers occurred: a generator that makes only one kind proves little.
    expect(Math.min(whole, doubtful)).toBeGreaterThan(numRuns / 10)
  },
  240_000 + numRuns * 10_000,
)
