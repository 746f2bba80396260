import type { Reply } from '../core/decision.ts'
import { PAYLOAD_MAX_BYTES } from '../core/host.ts'

/**
 * The protocol between the client and the daemon: lengths, then bytes, so that the small C client needs no parser.
 * All numbers are 32 bit, little-endian.
 *
 *   request   "HPO1" elapsedMs argvBytes cwdBytes envBytes inputBytes | argv | cwd | env | input
 *   reply     "HPA1" | exitCode stdoutBytes stderrBytes | stdout | stderr
 *
 * "HPO1" is for the only request of a connection, which ends with its reply. With "HPQ1" others may follow. Each string
 * of argv and env ends with a NUL. "HPA1" is the greeting: it is sent as soon as a request begins, or
 * together with a reply that is ready at once. If a client does not get it soon, the daemon hangs, and the client
 * starts a one-shot process instead.
 */
export const GREETING = Buffer.from('HPA1')
const ONLY_REQUEST = Buffer.from('HPO1')
const ONE_OF_MANY = Buffer.from('HPQ1')
export const HEADER_BYTES = 24
const REPLY_HEADER_BYTES = 12

export interface DaemonRequest {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: Buffer
  /** How long the caller had been running when it sent this. */
  readonly elapsedMs: number
  /** More requests may follow on the same connection. */
  readonly isOneOfMany?: boolean
}

/**
 * The maximum of each part. If an input is too long, a client sends one byte more than the maximum, so that
 * the daemon can report it.
 */
const PART_BYTES_MAX = { argv: 1 << 20, cwd: 1 << 16, env: 1 << 24, input: PAYLOAD_MAX_BYTES + 1 } as const

/** The length of the whole request, from its first 24 bytes; undefined if it is not a request. */
export function requestBytes(header: Buffer): number | undefined {
  if (!isOnlyRequest(header) && !header.subarray(0, 4).equals(ONE_OF_MANY)) return undefined
  const parts = lengthsIn(header)
  const fits = Object.values(PART_BYTES_MAX).every((max, i) => (parts[i] ?? 0) <= max)
  return fits ? parts.reduce((sum, bytes) => sum + bytes, HEADER_BYTES) : undefined
}

/** Whether the connection ends with the reply. */
export function isOnlyRequest(header: Buffer): boolean {
  return header.subarray(0, 4).equals(ONLY_REQUEST)
}

function lengthsIn(header: Buffer): readonly number[] {
  return [8, 12, 16, 20].map((at) => header.readUInt32LE(at))
}

/** A complete request, as measured by `requestBytes`. */
export function decodeRequest(frame: Buffer): DaemonRequest {
  let at = HEADER_BYTES
  const [argv, cwd, env, input] = lengthsIn(frame).map((bytes) => {
    at += bytes
    return frame.subarray(at - bytes, at)
  })
  return {
    argv: argumentsIn(argv ?? NOTHING),
    cwd: text(cwd),
    env: variablesIn(env ?? NOTHING),
    input: input ?? NOTHING,
    elapsedMs: frame.readUInt32LE(4),
  }
}

/** The arguments and the age of a complete request, for code that only passes it on. */
export function requestHead(frame: Buffer): Pick<DaemonRequest, 'argv' | 'elapsedMs'> {
  const [argvBytes = 0] = lengthsIn(frame)
  return {
    argv: argumentsIn(frame.subarray(HEADER_BYTES, HEADER_BYTES + argvBytes)),
    elapsedMs: frame.readUInt32LE(4),
  }
}

export function encodeRequest(call: DaemonRequest): Buffer {
  const parts = [
    ended(call.argv),
    Buffer.from(call.cwd),
    ended(Object.entries(call.env).map(([name, value]) => `${name}=${value}`)),
    call.input,
  ]
  const header = Buffer.alloc(HEADER_BYTES)
  const magic = call.isOneOfMany === true ? ONE_OF_MANY : ONLY_REQUEST
  magic.copy(header)
  for (const [i, number] of [call.elapsedMs, ...parts.map((part) => part.length)].entries()) {
    header.writeUInt32LE(number, 4 + 4 * i)
  }
  const frame = Buffer.allocUnsafeSlow(HEADER_BYTES + parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of [header, ...parts]) at += part.copy(frame, at)
  return frame
}

/** What follows the greeting. */
export function encodeReply(reply: Reply): Buffer {
  const [stdout, stderr] = [Buffer.from(reply.stdout), Buffer.from(reply.stderr)]
  // A separate buffer, not a part of Node's pool, because it is transferred to another thread.
  const frame = Buffer.allocUnsafeSlow(REPLY_HEADER_BYTES + stdout.length + stderr.length)
  for (const [i, number] of [reply.exitCode, stdout.length, stderr.length].entries()) {
    frame.writeUInt32LE(number, 4 * i)
  }
  stdout.copy(frame, REPLY_HEADER_BYTES)
  stderr.copy(frame, REPLY_HEADER_BYTES + stdout.length)
  return frame
}

/** A complete reply without its greeting, or undefined while bytes are missing. */
export function decodeReply(bytes: Buffer): Reply | undefined {
  if (bytes.length < REPLY_HEADER_BYTES) return undefined
  const [exitCode = 2, out = 0, err = 0] = [0, 4, 8].map((at) => bytes.readUInt32LE(at))
  if (bytes.length < REPLY_HEADER_BYTES + out + err) return undefined
  const stdout = bytes.toString('utf8', REPLY_HEADER_BYTES, REPLY_HEADER_BYTES + out)
  return {
    exitCode,
    stdout,
    stderr: bytes.toString('utf8', REPLY_HEADER_BYTES + out, REPLY_HEADER_BYTES + out + err),
  }
}

function ended(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((each) => `${each}\0`).join(''))
}

function text(part: Buffer | undefined): string {
  return part?.toString('utf8') ?? ''
}

function words(part: Buffer | undefined): readonly string[] {
  return text(part).split('\0').slice(0, -1)
}

/** Calls of one agent have the same arguments and the same environment, call after call: they are the same objects. */
const argumentsIn = oncePerBytes(words)
const variablesIn = oncePerBytes((part) => variables(words(part)))

const NOTHING = Buffer.alloc(0)

function oncePerBytes<Found>(find: (part: Buffer) => Found): (part: Buffer) => Found {
  let last: { readonly part: Buffer; readonly found: Found } | undefined
  return (part) => {
    // A copy: the request may be transferred to another thread.
    if (last === undefined || !last.part.equals(part)) last = { part: Buffer.from(part), found: find(part) }
    return last.found
  }
}

/** The first of two variables with the same name counts, as in a real process. */
function variables(entries: readonly string[]): Record<string, string> {
  const found: Record<string, string> = Object.create(null)
  for (const entry of entries) {
    const at = entry.indexOf('=')
    const name = entry.slice(0, at)
    if (at > 0 && !(name in found)) found[name] = entry.slice(at + 1)
  }
  return found
}
