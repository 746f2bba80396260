import { MAIN } from '../../../../src/core/actor.ts'
import type { ChainEnd } from '../../../../src/daemon/fleet/push-format.ts'
import { chainHash, digestOf, GENESIS } from '../../../../src/storage/journal/chain.ts'
import { hooksOf, parseRecord } from '../../../../src/storage/journal/record.ts'
import type { JournalRecord } from '../../../../src/storage/journal/store.ts'
import { columnsOf, type RecordColumns } from '../sink/columns.ts'
import {
  branchFinding,
  type CheckedPush,
  type CheckedRow,
  clockFinding,
  comparedSeq,
  type Finding,
  placePush,
} from '../sink/place-push.ts'
import type {
  AppendReply,
  ChainCheck,
  FleetQuery,
  FleetRecord,
  MachineKey,
  Role,
  Sink,
  StoredFinding,
} from '../sink/sink.ts'

interface Kept extends CheckedRow {
  readonly columns: RecordColumns
  readonly receivedMs: number
}

interface Chain {
  head: ChainEnd
  anchor: ChainEnd
  rows: Kept[]
}

interface Known extends MachineKey {
  readonly labels: Readonly<Record<string, string>>
  readonly user: string
}

/** A sink that lives as long as the process: for tests, and to see how little a sink has to do. */
export function createMemorySink(options: {
  /** The role of each token. */
  readonly tokens: Readonly<Record<string, Role>>
  now(): Date
}): Sink {
  const machines = new Map<string, Known>()
  const chains = new Map<string, Chain>()
  const found = new Map<string, StoredFinding>()
  const nameOf = (machine: string, branch: string) => `${machine} ${branch}`

  function chainFor(push: CheckedPush): { readonly chain: Chain; readonly findings: readonly Finding[] } {
    const name = nameOf(push.machine, push.branch)
    const known = chains.get(name)
    if (known !== undefined) return { chain: known, findings: [] }
    const { parent } = push
    const start = { seq: parent?.seq ?? 0, hash: parent?.hash ?? GENESIS }
    const chain = { head: start, anchor: start, rows: [] }
    chains.set(name, chain)
    return { chain, findings: parent === undefined ? [] : [branchFinding(parent)] }
  }

  function appendOne(push: CheckedPush): AppendReply {
    if (machines.get(push.machine)?.revoked !== false) return { kind: 'revoked' }
    const nowMs = options.now().getTime()
    const { chain, findings } = chainFor(push)
    const seq = comparedSeq(push, chain.head)
    const placed = placePush(push, chain, chain.rows.find((row) => row.seq === seq)?.hash)
    if (placed.kind !== 'append') return placed
    const skewMs = nowMs - Date.parse(push.sentAt)
    const clock = clockFinding(skewMs)
    for (const finding of [...findings, ...placed.findings, ...(clock === undefined ? [] : [clock])]) {
      const { machine, branch } = push
      const key = [machine, branch, finding.kind, finding.seq].join(' ')
      if (!found.has(key))
        found.set(key, { machine, branch, ...finding, foundAt: options.now().toISOString() })
    }
    chain.rows.push(
      ...placed.rows.map((row) => ({ ...row, receivedMs: nowMs, columns: columnsOf(row, skewMs, nowMs) })),
    )
    chain.head = placed.head
    const user = push.status?.user
    const machine = machines.get(push.machine)
    if (machine !== undefined && typeof user === 'string') machines.set(push.machine, { ...machine, user })
    return { kind: 'stored', head: placed.head }
  }

  function* everyRow(
    machine?: string,
  ): Generator<{ name: readonly [string, string]; chain: Chain; row: Kept }> {
    for (const [key, chain] of chains) {
      const [id = '', branch = ''] = key.split(' ')
      if (machine !== undefined && id !== machine) continue
      for (const row of chain.rows) yield { name: [id, branch], chain, row }
    }
  }

  function erased(row: Kept): Kept {
    const { occurredMs } = row.columns
    return { ...row, text: '', salt: '', columns: { ...columnsOf({ ...row, text: '' }, 0, 0), occurredMs } }
  }

  return {
    async register({ machine, publicKey, token, labels }) {
      const known = machines.get(machine)
      const isSame = known?.publicKey === publicKey
      if (isSame && !known.revoked) return 'registered'
      if (options.tokens[token] !== 'push') return 'token'
      // A key that was revoked stays revoked; the machine needs a new one.
      if (known !== undefined && (isSame || !known.revoked)) return 'taken'
      machines.set(machine, { publicKey, labels, revoked: false, user: known?.user ?? '' })
      return 'registered'
    },
    machineKey: async (machine) => machines.get(machine),
    append: async (pushes) => pushes.map(appendOne),
    async hashes(machine, branch, seqs) {
      const chain = chains.get(nameOf(machine, branch))
      const rows = chain?.rows.filter(({ seq }) => seqs.includes(seq)) ?? []
      const hashes = Object.fromEntries(rows.map(({ seq, hash }) => [seq, hash]))
      return { hashes, oldest: (chain?.anchor.seq ?? 0) + 1 }
    },
    async *read(query) {
      const rows = [...everyRow(query.machine)].flatMap(({ name: [machine, branch], row }) => {
        const record = parseRecord(row.text)
        if (record === undefined || !matches(query, row, record, machines.get(machine)?.labels.team))
          return []
        const occurredAt = new Date(row.columns.occurredMs).toISOString()
        const { seq, hash, intact } = row
        return [{ machine, branch, seq, hash, occurredAt, intact, record } satisfies FleetRecord]
      })
      rows.sort((a, b) => a.occurredAt.localeCompare(b.occurredAt) || a.seq - b.seq)
      yield* query.limit === undefined
        ? rows
        : rows.slice(Math.max(0, rows.length - Math.max(0, query.limit)))
    },
    findings: async (machine) =>
      [...found.values()].filter((finding) => machine === undefined || finding.machine === machine),
    verify: async (machine) =>
      [...chains]
        .map(([key, chain]) => ({ name: key.split(' '), chain }))
        .filter(({ name: [id] }) => machine === undefined || id === machine)
        .map(({ name: [id = '', branch = ''], chain }) => verifyRows(id, branch, chain)),
    async erase({ record, session, machine, user }) {
      let count = 0
      for (const [key, chain] of chains) {
        const [id = ''] = key.split(' ')
        chain.rows = chain.rows.map((row) => {
          const isChosen =
            row.text !== '' &&
            ((record !== undefined && row.columns.id === record) ||
              (session !== undefined && row.columns.session === session) ||
              (machine !== undefined && id === machine) ||
              (user !== undefined && machines.get(id)?.user === user))
          if (!isChosen) return row
          count += 1
          return erased(row)
        })
      }
      return count
    },
    async retain({ keepDays, projects }, now) {
      const before = (days: number) => now.getTime() - days * DAY_MS
      const longest = Math.max(keepDays, ...Object.values(projects))
      let count = 0
      let days = 0
      for (const chain of chains.values()) {
        const dropped = chain.rows.filter(({ receivedMs }) => receivedMs < before(longest))
        const last = dropped.at(-1)
        if (last !== undefined) chain.anchor = { seq: last.seq, hash: last.hash }
        days = Math.max(days, new Set(dropped.map(({ receivedMs }) => Math.floor(receivedMs / DAY_MS))).size)
        chain.rows = chain.rows.slice(dropped.length).map((row) => {
          const limit = projects[row.columns.project] ?? keepDays
          if (row.text === '' || row.receivedMs >= before(limit)) return row
          count += 1
          return erased(row)
        })
      }
      return { days, erased: count }
    },
    async close() {},
    roleOf: async (token) => options.tokens[token],
    async revoke(machine) {
      const known = machines.get(machine)
      if (known !== undefined) machines.set(machine, { ...known, revoked: true })
      return known !== undefined
    },
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

function matches(query: FleetQuery, row: Kept, record: JournalRecord, team: string | undefined): boolean {
  const { columns, seq } = row
  const at = new Date(columns.occurredMs).toISOString()
  const wanted: readonly (readonly [string | undefined, string])[] = [
    [query.session, columns.session],
    [query.agent, record.agent ?? MAIN],
    [query.event, columns.event],
    [query.tool, columns.tool],
    [query.effect, columns.effect],
    [query.team, team ?? ''],
  ]
  return (
    wanted.every(([asked, value]) => asked === undefined || asked === value) &&
    (query.project === undefined || [columns.projectPath, columns.project].includes(query.project)) &&
    (query.hook === undefined || hooksOf(record).includes(query.hook)) &&
    (query.since === undefined || at >= new Date(query.since).toISOString()) &&
    (query.until === undefined || at < new Date(query.until).toISOString()) &&
    (query.after === undefined || seq > query.after)
  )
}

function verifyRows(machine: string, branch: string, { rows, anchor, head }: Chain): ChainCheck {
  let previous = anchor
  let erased = 0
  for (const row of rows) {
    if (row.text === '') erased += 1
    const isLinked = chainHash(previous.hash, row.digest === '' ? row.text : row.digest) === row.hash
    const isSame = row.digest === '' || row.text === '' || digestOf(row.salt, row.text) === row.digest
    if (row.seq === previous.seq + 1 && isLinked && isSame) {
      previous = row
      continue
    }
    const brokenAt = previous.seq + 1
    const message = `record ${brokenAt} does not verify`
    return { machine, branch, ok: false, records: rows.length, erased, brokenAt, message }
  }
  if (previous.seq !== head.seq || previous.hash !== head.hash) {
    const message = 'the last records are missing'
    return { machine, branch, ok: false, records: rows.length, erased, brokenAt: previous.seq + 1, message }
  }
  return { machine, branch, ok: true, records: rows.length, erased, message: 'the chain is whole' }
}
