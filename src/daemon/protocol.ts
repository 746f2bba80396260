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
const ONLY_REQUEST = Buffer.from('HPO1').readUInt32LE()
const ONE_OF_MANY = Buffer.from('HPQ1').readUInt32LE()
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
  if (!isOnlyRequest(header) && header.readUInt32LE(0) !== ONE_OF_MANY) return undefined
  const { argv, cwd, env, input } = lengthsIn(header)
  const fits =
    argv <= PART_BYTES_MAX.argv &&
    cwd <= PART_BYTES_MAX.cwd &&
    env <= PART_BYTES_MAX.env &&
    input <= PART_BYTES_MAX.input
  return fits ? HEADER_BYTES + argv + cwd + env + input : undefined
}

/** Whether the connection ends with the reply. */
export function isOnlyRequest(header: Buffer): boolean {
  return header.readUInt32LE(0) === ONLY_REQUEST
}

function lengthsIn(header: Buffer): Readonly<Record<keyof typeof PART_BYTES_MAX, number>> {
  return {
    argv: header.readUInt32LE(8),
    cwd: header.readUInt32LE(12),
    env: header.readUInt32LE(16),
    input: header.readUInt32LE(20),
  }
}

/** A complete request, as measured by `requestBytes`. On its way it is asked for twice. */
export function decodeRequest(frame: Buffer): DaemonRequest {
  if (lastRequest?.frame !== frame) {
    const { argv, cwd, env, endsAt } = callerIn(frame)
    const input = frame.subarray(endsAt)
    lastRequest = { frame, request: { argv, cwd, env, input, elapsedMs: frame.readUInt32LE(4) } }
  }
  return lastRequest.request
}

let lastRequest: { readonly frame: Buffer; readonly request: DaemonRequest } | undefined

/** Everything of a request except the input and the time. */
interface Caller extends Pick<DaemonRequest, 'argv' | 'cwd' | 'env'> {
  readonly endsAt: number
}

function callerIn(frame: Buffer): Caller {
  const { argv, cwd, env } = lengthsIn(frame)
  const cwdAt = HEADER_BYTES + argv
  const envAt = cwdAt + cwd
  const endsAt = envAt + env
  return {
    argv: argvIn(frame.subarray(HEADER_BYTES, cwdAt)),
    cwd: frame.toString('utf8', cwdAt, envAt),
    env: envIn(frame.subarray(envAt, endsAt)),
    endsAt,
  }
}

/**
 * Calls of one agent have the same environment, and the same arguments for the same kind of event: these are the same
 * objects then, so that others can keep what follows from them.
 */
const argvIn = oncePerBytes(words)
const envIn = oncePerBytes((part) => variables(words(part)))

function oncePerBytes<Found>(read: (part: Buffer) => Found): (part: Buffer) => Found {
  let known: { readonly bytes: Buffer; readonly found: Found }[] = []
  return (part) => {
    for (const { bytes, found } of known) if (bytes.equals(part)) return found
    const found = read(part)
    // A copy: the request may be transferred to another thread.
    if (part.length <= KEPT_MAX_BYTES) {
      known = [{ bytes: Buffer.from(part), found }, ...known.slice(0, KEPT_MAX - 1)]
    }
    return found
  }
}

/** More than the kinds of events for which an agent starts hooks. */
const KEPT_MAX = 24
const KEPT_MAX_BYTES = 1 << 16

export function encodeRequest(call: DaemonRequest): Buffer {
  const parts = [
    ended(call.argv),
    Buffer.from(call.cwd),
    ended(Object.entries(call.env).map(([name, value]) => `${name}=${value}`)),
    call.input,
  ]
  const header = Buffer.alloc(HEADER_BYTES)
  const magic = call.isOneOfMany === true ? ONE_OF_MANY : ONLY_REQUEST
  for (const [i, number] of [magic, call.elapsedMs, ...parts.map((part) => part.length)].entries()) {
    header.writeUInt32LE(number, 4 * i)
  }
  const frame = Buffer.allocUnsafeSlow(HEADER_BYTES + parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of [header, ...parts]) at += part.copy(frame, at)
  return frame
}

/** What follows the greeting. */
export function encodeReply(reply: Reply): Buffer {
  const outBytes = Buffer.byteLength(reply.stdout)
  const errBytes = Buffer.byteLength(reply.stderr)
  // A separate buffer, not a part of Node's pool, because it is transferred to another thread.
  const frame = Buffer.allocUnsafeSlow(REPLY_HEADER_BYTES + outBytes + errBytes)
  frame.writeUInt32LE(reply.exitCode, 0)
  frame.writeUInt32LE(outBytes, 4)
  frame.writeUInt32LE(errBytes, 8)
  frame.write(reply.stdout, REPLY_HEADER_BYTES)
  frame.write(reply.stderr, REPLY_HEADER_BYTES + outBytes)
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

function words(part: Buffer): readonly string[] {
  return part.toString('utf8').split('\0').slice(0, -1)
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
