import { createConnection } from 'node:net'
import { join } from 'node:path'
import type { Reply } from '../../core/decision.ts'
import { decodeReply, encodeRequest, GREETING } from '../../daemon/protocol.ts'
import { checkRunFolder, SOCKET } from '../../daemon/run-folder.ts'
import { withSocketPath } from '../../system/platform/descriptors.ts'
import type { Call } from './client.ts'

/** A daemon that does not greet by then hangs. One that did may take until the deadline. */
const GREETING_MAX_MS = 2_500
const REPLY_MAX_BYTES = 64 * 1024 * 1024
const REPLY_HEAD_BYTES = 16

/** The daemon's reply; a text if it took the whole time; undefined if it did not answer and there is time left. */
export async function askResident(call: Call): Promise<Reply | string | undefined> {
  const folder = join(call.home, 'run')
  if (!checkRunFolder(folder).ok) return undefined
  const { argv, cwd, env, input } = call
  const request = encodeRequest({ argv, cwd, env, input, elapsedMs: call.elapsedMs() })
  try {
    return await withSocketPath(folder, SOCKET, (path) => converse(path, request, call))
  } catch {
    return undefined
  }
}

function converse(path: string, request: Buffer, call: Call): Promise<Reply | string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = createConnection(path)
    const settle = (reply: Reply | string | undefined) => {
      clearTimeout(greeting)
      clearTimeout(deadline)
      socket.destroy()
      resolve(reply)
    }
    const greeting = setTimeout(() => settle(undefined), Math.min(GREETING_MAX_MS, call.leftMs()))
    const deadline = setTimeout(() => settle('no answer in time'), Math.max(1, call.leftMs()))
    // A second error after the first, or after the reply, must not become an uncaught one.
    socket.on('error', () => settle(undefined))
    socket.on('close', () => settle(undefined))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      if (!GREETING.subarray(0, bytes.length).equals(bytes.subarray(0, GREETING.length)))
        return settle(undefined)
      if (bytes.length >= GREETING.length) clearTimeout(greeting)
      if (isUnusable(bytes)) return settle(undefined)
      const reply = decodeReply(bytes.subarray(GREETING.length))
      if (reply !== undefined) settle(reply)
    })
    socket.write(request)
  })
}

function isUnusable(bytes: Buffer): boolean {
  if (bytes.length < REPLY_HEAD_BYTES) return false
  return bytes.readUInt32LE(4) > 255 || bytes.readUInt32LE(8) + bytes.readUInt32LE(12) > REPLY_MAX_BYTES
}
