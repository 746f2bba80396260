import { hash, randomBytes } from 'node:crypto'
import type { ChainReport } from './store.ts'

/** The hash before the first record. */
export const GENESIS = '0'.repeat(64)

/** What the chain stores of a record: its digest, and the salt without which the text cannot be guessed from it. */
export interface Seal {
  readonly salt: string
  readonly digest: string
}

const SALT_BYTES = 16

/**
 * The chain is built over digests. So the text of a record and its salt can be erased later, and the chain still
 * verifies: it shows that there was a record, but nothing of its content.
 */
export function sealed(text: string): Seal {
  const salt = randomBytes(SALT_BYTES).toString('hex')
  return { salt, digest: digestOf(salt, text) }
}

/** Over the exact stored text, so that verification never depends on how a record is written again. */
export function digestOf(salt: string, text: string): string {
  return hash('sha256', `${salt}\n${text}`, 'hex')
}

/** `content`: the digest of a record, or the whole text of an unsealed one. */
export function chainHash(previous: string, content: string): string {
  return hash('sha256', `${previous}\n${content}`, 'hex')
}

/** The report about an intact chain. */
export function wholeChain(records: number, erased: number): ChainReport {
  const counted = `${records} record${records === 1 ? '' : 's'}`
  const said = erased === 0 ? '' : `, ${erased} of them erased`
  const message = `${counted}${said}, the chain is whole`
  return { ok: true, records, ...(erased === 0 ? {} : { erased }), message }
}
