import type { Pool } from 'pg'
import { chainHash, digestOf } from '../../../../src/storage/journal/chain.ts'
import type { ChainCheck } from '../sink/sink.ts'
import { inTransaction } from './connection.ts'
import { pagesOf } from './read.ts'

interface ChainToCheck {
  readonly machine: string
  readonly branch: string
  readonly head: { readonly seq: number; readonly hash: string }
  readonly anchor: { readonly seq: number; readonly hash: string }
}

/** Walks each chain from its first stored record to its end, as the machine itself would. */
export async function verifyChains(pool: Pool, machine: string | undefined): Promise<readonly ChainCheck[]> {
  const chains = await inTransaction(pool, 'read', async ({ client }) => {
    const { rows } = await client.query(
      `SELECT machine, branch, head_seq, encode(head_hash, 'hex') AS head_hash, anchor_seq,
         encode(anchor_hash, 'hex') AS anchor_hash
       FROM holdpoint.chains WHERE $1::uuid IS NULL OR machine = $1 ORDER BY machine, branch`,
      [machine ?? null],
    )
    return rows.map(
      (row): ChainToCheck => ({
        machine: row.machine,
        branch: row.branch,
        head: { seq: Number(row.head_seq), hash: row.head_hash },
        anchor: { seq: Number(row.anchor_seq), hash: row.anchor_hash },
      }),
    )
  })
  const checks: ChainCheck[] = []
  for (const chain of chains) checks.push(await verifyChain(pool, chain))
  return checks
}

const ROWS = `SELECT seq, encode(hash, 'hex') AS hash, encode(digest, 'hex') AS digest, encode(salt, 'hex') AS salt, record
  FROM holdpoint.records WHERE machine = $1 AND branch = $2 AND seq > $3 AND seq <= $4 ORDER BY seq`

async function verifyChain(pool: Pool, { machine, branch, head, anchor }: ChainToCheck): Promise<ChainCheck> {
  let previous = anchor
  let records = 0
  let erased = 0
  const broken = (brokenAt: number, message: string): ChainCheck => ({
    ...{ machine, branch, ok: false, records, erased, brokenAt, message },
  })
  for await (const rows of pagesOf(pool, ROWS, [machine, branch, anchor.seq, head.seq])) {
    for (const row of rows) {
      const [seq, hash, digest] = [Number(row.seq), String(row.hash), String(row.digest)]
      const [salt, text] = [String(row.salt), String(row.record)]
      records += 1
      if (seq <= previous.seq) return broken(seq, `record ${seq} is stored twice`)
      if (seq !== previous.seq + 1) return broken(previous.seq + 1, missing(previous.seq + 1, seq - 1))
      const isErased = salt === '' && text === '' && digest !== ''
      if (isErased) erased += 1
      if (chainHash(previous.hash, digest === '' ? text : digest) !== hash) {
        return broken(seq, `record ${seq} was changed or put in another place`)
      }
      if (digest !== '' && !isErased && digestOf(salt, text) !== digest) {
        return broken(seq, `the text of record ${seq} was changed`)
      }
      previous = { seq, hash }
    }
  }
  if (previous.seq !== head.seq) return broken(previous.seq + 1, missing(previous.seq + 1, head.seq))
  if (previous.hash !== head.hash)
    return broken(head.seq, `record ${head.seq} is not the last one that was stored`)
  const message = `${records} record${records === 1 ? '' : 's'}${erased === 0 ? '' : `, ${erased} of them erased`}, the chain is whole`
  return { machine, branch, ok: true, records, erased, message }
}

function missing(from: number, to: number): string {
  return from === to ? `record ${from} is missing` : `records ${from} to ${to} are missing`
}
