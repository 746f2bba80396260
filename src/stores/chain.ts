import { createHash } from 'node:crypto'

/** The hash before the first record. */
export const GENESIS = '0'.repeat(64)

/** Over the exact stored text, so that verifying never depends on how a record is written out again. */
export function chainHash(previous: string, text: string): string {
  return createHash('sha256').update(`${previous}\n${text}`).digest('hex')
}
