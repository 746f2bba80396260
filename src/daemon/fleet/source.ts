import { join, resolve } from 'node:path'
import { bad, good, type Result } from '../../core/errors.ts'
import { readRegularFile } from '../../system/regular-file.ts'
import type { FleetHttp } from './http.ts'

/** What was known of a file when it was read last, so that an unchanged one is not sent again. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

export type FetchedFile =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'file'; readonly content: Buffer; readonly validators: Validators }
  /** The server asks for a pause. */
  | { readonly kind: 'later'; readonly retryAfterMs: number }

/** Where a fleet publishes: files by relative path, over HTTPS or in a folder. */
export interface FleetSource {
  fetch(path: string, maxBytes: number, known?: Validators): Promise<Result<FetchedFile>>
}

const TIMEOUT_MS = 30_000

export function fleetSource(url: string, http: FleetHttp, authorization?: string): FleetSource {
  return url.startsWith('/') ? folderSource(url) : httpSource(url, http, authorization)
}

function folderSource(folder: string): FleetSource {
  return {
    async fetch(path, maxBytes) {
      const file = join(resolve(folder), path)
      const read = readRegularFile(file, maxBytes)
      if (read.kind === 'read') return good({ kind: 'file', content: read.content, validators: {} })
      if (read.kind === 'missing') return good({ kind: 'missing' })
      const why =
        read.kind === 'too-large' ? `it has more than ${maxBytes} bytes` : 'it is not a file that can be read'
      return bad('FLEET_UNREACHABLE', `${file} cannot be read: ${why}.`)
    },
  }
}

function httpSource(base: string, http: FleetHttp, authorization: string | undefined): FleetSource {
  return {
    async fetch(path, maxBytes, known = {}) {
      // As a folder: without the slash, the last name of the address would be replaced. A query is a signature of a bucket.
      const url = new URL(base)
      url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
      const headers = {
        ...(authorization === undefined ? {} : { authorization }),
        ...(known.etag === undefined ? {} : { 'if-none-match': known.etag }),
        ...(known.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
      }
      const sent = await http.send({ url, headers, maxBytes, timeoutMs: TIMEOUT_MS })
      if (!sent.ok) return sent
      const { status, headers: received, body } = sent.value
      if (status === 304) return good({ kind: 'unchanged' })
      // Buckets answer 403 for a file that does not exist.
      if (status === 404 || status === 410) return good({ kind: 'missing' })
      if (status === 429 || status === 503) {
        return good({ kind: 'later', retryAfterMs: retryAfterMs(received['retry-after']) })
      }
      if (status !== 200) {
        return bad('FLEET_UNREACHABLE', `${url.origin}${url.pathname} answers with status ${status}.`)
      }
      const { etag, 'last-modified': lastModified } = received
      const validators = {
        ...(isShort(etag) ? { etag } : {}),
        ...(isShort(lastModified) ? { lastModified } : {}),
      }
      return good({ kind: 'file', content: body, validators })
    },
  }
}

const VALIDATOR_MAX = 300

function isShort(text: string | undefined): text is string {
  return text !== undefined && text.length <= VALIDATOR_MAX
}

/** Only the form in seconds. A hostile server could otherwise ask for a pause of years. */
export function retryAfterMs(text: string | undefined): number {
  const seconds = Number(text)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_MAX_MS) : 0
}

const RETRY_AFTER_MAX_MS = 60 * 60 * 1000
