import type { BranchPoint, ChainEnd, Push } from '../../../../src/daemon/fleet/push-format.ts'
import { chainHash, digestOf } from '../../../../src/storage/journal/chain.ts'
import type { ChainRow } from '../../../../src/storage/journal/store.ts'

/** Something about the journal of a machine that a person should look at. Pure: from a push to what is found. */
export interface Finding {
  readonly kind: FindingKind
  readonly seq: number
  readonly detail: string
}

export type FindingKind = 'changed' | 'gap' | 'fork' | 'restart' | 'clock'

/** A record that was checked against the one before it. */
export interface CheckedRow extends ChainRow {
  /** False if its text or its place in the chain was changed. It is kept, because it is evidence. */
  readonly intact: boolean
}

export interface CheckedPush extends Push {
  readonly rows: readonly CheckedRow[]
  readonly changed: readonly Finding[]
}

/** Checks every link within a push. What the collector already has is compared later, in `placePush`. */
export function checkPush(push: Push): CheckedPush {
  const changed: Finding[] = []
  let previous = push.previous.hash
  const rows = push.rows.map((row): CheckedRow => {
    const why = faultOf(row, previous)
    previous = row.hash
    if (why !== undefined) changed.push({ kind: 'changed', seq: row.seq, detail: why })
    return { ...row, intact: why === undefined }
  })
  return { ...push, rows, changed }
}

function faultOf({ digest, salt, text, hash }: ChainRow, previous: string): string | undefined {
  if (chainHash(previous, digest === '' ? text : digest) !== hash) {
    return 'The record does not follow the one before it: it was changed or put in another place.'
  }
  const isErased = salt === '' && text === ''
  if (digest === '' || isErased || digestOf(salt, text) === digest) return undefined
  return 'The text of the record was changed after it was written.'
}

/** What a sink knows of one chain. */
export interface KnownChain {
  readonly head: ChainEnd
  /** The last record that retention dropped. */
  readonly anchor: ChainEnd
}

export type Placement =
  /** `rows`: those that are new. */
  | {
      readonly kind: 'append'
      readonly rows: readonly CheckedRow[]
      readonly findings: readonly Finding[]
      readonly head: ChainEnd
    }
  | { readonly kind: 'behind'; readonly head: ChainEnd }
  | { readonly kind: 'fork'; readonly head: ChainEnd }

/**
 * Where a push belongs. `hashAt`: the hash of a record that the sink already has, for the one place that `comparedSeq`
 * names. A push that was sent before adds nothing.
 */
export function placePush(
  push: CheckedPush,
  { head, anchor }: KnownChain,
  hashAt: string | undefined,
): Placement {
  const { previous, rows } = push
  if (previous.seq > head.seq) {
    if (push.oldest !== true) return { kind: 'behind', head }
    const missing = previous.seq - head.seq
    const gap: Finding = {
      kind: 'gap',
      seq: head.seq + 1,
      detail: `The machine no longer has ${missing} record${missing === 1 ? '' : 's'}, from ${head.seq + 1} to ${previous.seq}.`,
    }
    return appended(rows, [gap, ...push.changed], rows.at(-1) ?? previous)
  }
  const seq = comparedSeq(push, head)
  const theirs = seq === previous.seq ? previous.hash : rows[seq - previous.seq - 1]?.hash
  const ours = seq === head.seq ? head.hash : seq === anchor.seq ? anchor.hash : hashAt
  // What was dropped cannot be compared any more.
  if (seq >= anchor.seq && ours !== theirs) return { kind: 'fork', head }
  const fresh = rows.filter((row) => row.seq > head.seq)
  return appended(
    fresh,
    push.changed.filter((finding) => finding.seq > head.seq),
    fresh.at(-1) ?? head,
  )
}

/** The last record that both have. Hashes are chained, so if this one is the same, all before it are. */
export function comparedSeq({ previous, rows }: Pick<Push, 'previous' | 'rows'>, head: ChainEnd): number {
  return Math.min(head.seq, previous.seq + rows.length)
}

function appended(
  rows: readonly CheckedRow[],
  findings: readonly Finding[],
  { seq, hash }: ChainEnd,
): Placement {
  return { kind: 'append', rows, findings, head: { seq, hash } }
}

/** The finding that a second chain of one machine is. */
export function branchFinding(parent: BranchPoint | undefined): Finding {
  const seq = (parent?.seq ?? 0) + 1
  if (seq === 1) {
    return {
      kind: 'restart',
      seq,
      detail: 'The journal was started anew, or another machine has the same identity.',
    }
  }
  return {
    kind: 'fork',
    seq,
    detail: `From record ${seq} on there are two journals: it was rewritten, or another machine has the same identity.`,
  }
}

/** A clock that is further off than this is a finding. */
const CLOCK_MAX_MS = 60 * 60 * 1000

export function clockFinding(skewMs: number): Finding | undefined {
  if (Math.abs(skewMs) <= CLOCK_MAX_MS) return undefined
  const hours = Math.round(Math.abs(skewMs) / CLOCK_MAX_MS)
  const direction = skewMs > 0 ? 'behind' : 'ahead'
  return { kind: 'clock', seq: 0, detail: `The clock of the machine is ${hours} hours ${direction}.` }
}
