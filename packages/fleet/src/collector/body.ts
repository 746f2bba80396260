import type { IncomingMessage } from 'node:http'
import { gunzip } from 'node:zlib'
import { PUSH_CONTENT_MAX_BYTES, PUSH_MAX_BYTES } from '../../../../src/daemon/fleet/push-format.ts'

export type ReadBody =
  | { readonly kind: 'read'; readonly body: Buffer }
  | { readonly kind: 'too-large' }
  /** The sender broke off. There is nobody to answer. */
  | { readonly kind: 'cut' }

/** Reads at most the limit. A declared length above it is refused before the first byte. */
export function readBody(request: IncomingMessage, maxBytes: number = PUSH_MAX_BYTES): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve({ kind: 'too-large' })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const finish = (read: ReadBody) => {
      request.removeAllListeners('data')
      resolve(read)
    }
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) finish({ kind: 'too-large' })
      else chunks.push(chunk)
    })
    request.on('end', () => finish({ kind: 'read', body: Buffer.concat(chunks) }))
    request.on('aborted', () => finish({ kind: 'cut' }))
    request.on('error', () => finish({ kind: 'cut' }))
  })
}

/** `undefined`: it is not gzip, is cut off, or would become too large. */
export function unpackBody(body: Buffer): Promise<Buffer | 'too-large' | undefined> {
  return new Promise((resolve) => {
    gunzip(body, { maxOutputLength: PUSH_CONTENT_MAX_BYTES }, (error, content) => {
      if (error === null) return resolve(content)
      resolve('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : undefined)
    })
  })
}
