import { closeSync, fstatSync, readFileSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { decodeInput, tooLarge } from '../app/hook-call.ts'
import { bad, type Result } from '../core/errors.ts'
import { PAYLOAD_MAX_BYTES } from '../core/host.ts'
import { reopenInput } from '../system/platform/descriptors.ts'

/**
 * Reads standard input completely, within a time limit. A file is read at once. A pipe is polled without
 * blocking. Anything else uses Node's streams, which take milliseconds to load.
 */
export function readInput(maxMs: number, now: () => number): Promise<Result<string>> {
  const kind = fstatSync(0)
  if (kind.isFile()) return Promise.resolve(decodeInput([readFileSync(0)]))
  const pipe = kind.isFIFO() ? reopenInput() : undefined
  return pipe === undefined ? readStream(process.stdin, maxMs) : Promise.resolve(readPipe(pipe, maxMs, now))
}

const CHUNK_BYTES = 64 * 1024
const POLL_MS = 1

function readPipe(pipe: number, maxMs: number, now: () => number): Result<string> {
  const endsMs = now() + maxMs
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const read = tryRead(pipe, chunk)
      if (read === 0) return decodeInput(chunks)
      if (read === undefined) {
        if (now() >= endsMs) return late(maxMs)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
        continue
      }
      sizeBytes += read
      if (sizeBytes > PAYLOAD_MAX_BYTES) return tooLarge()
      chunks.push(chunk.subarray(0, read))
    }
  } catch (error) {
    return unreadable(error)
  } finally {
    closeSync(pipe)
  }
}

/** Undefined: no data yet. */
function tryRead(pipe: number, chunk: Buffer): number | undefined {
  try {
    return readSync(pipe, chunk)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined
    throw error
  }
}

/** The same for a stream of Node. */
export function readStream(stream: Readable, maxMs: number): Promise<Result<string>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const settle = (result: Result<string>) => {
      clearTimeout(timer)
      stream.removeAllListeners()
      stream.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => settle(late(maxMs)), maxMs)
    stream.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes <= PAYLOAD_MAX_BYTES) chunks.push(chunk)
      else settle(tooLarge())
    })
    stream.on('error', (error) => settle(unreadable(error)))
    stream.on('end', () => settle(decodeInput(chunks)))
  })
}

function late(maxMs: number): Result<string> {
  return bad('INPUT_TIMEOUT', `Standard input was still open after ${Math.round(maxMs)} ms.`)
}

function unreadable(error: unknown): Result<string> {
  const why = error instanceof Error ? error.message : String(error)
  return bad('PAYLOAD_EMPTY', `Standard input cannot be read: ${why}`)
}
