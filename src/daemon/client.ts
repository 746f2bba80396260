import { createConnection } from 'node:net'
import type { Reply } from '../core/decision.ts'
import { withSocketPath } from '../system/platform/descriptors.ts'
import { type DaemonRequest, decodeReply, encodeRequest, GREETING } from './protocol.ts'
import { checkRunFolder, SOCKET } from './run-folder.ts'

/**
 * Sends a request to the daemon of a folder. Returns undefined if there is no daemon, or if it did not answer
 * completely in time.
 */
export async function askDaemon(
  folder: string,
  call: DaemonRequest,
  timeoutMs: number,
): Promise<Reply | undefined> {
  if (!checkRunFolder(folder).ok) return undefined
  try {
    return await withSocketPath(folder, SOCKET, (path) => exchange(path, encodeRequest(call), timeoutMs))
  } catch {
    return undefined
  }
}

/** A command to the daemon itself. No agent is called `#status`. */
export function controlDaemon(
  folder: string,
  order: '#status' | '#stop',
  timeoutMs: number,
): Promise<Reply | undefined> {
  return askDaemon(
    folder,
    { argv: [order], cwd: '/', env: {}, input: Buffer.alloc(0), elapsedMs: 0 },
    timeoutMs,
  )
}

function exchange(path: string, request: Buffer, timeoutMs: number): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = createConnection(path)
    const settle = (reply: Reply | undefined) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(reply)
    }
    const timer = setTimeout(() => settle(undefined), timeoutMs)
    socket.on('error', () => settle(undefined))
    socket.on('end', () => settle(undefined))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      if (!GREETING.equals(bytes.subarray(0, GREETING.length))) return settle(undefined)
      const reply = decodeReply(bytes.subarray(GREETING.length))
      if (reply !== undefined) settle(reply)
    })
    socket.write(request)
  })
}
