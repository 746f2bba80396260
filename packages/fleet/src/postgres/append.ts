import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { ChainEnd } from '../../../../src/daemon/fleet/push-format.ts'
import { GENESIS } from '../../../../src/storage/journal/chain.ts'
import { columnsOf, plain, type RecordColumns } from '../sink/columns.ts'
import {
  branchFinding,
  type CheckedPush,
  type CheckedRow,
  clockFinding,
  comparedSeq,
  type Finding,
  type Placement,
  placePush,
} from '../sink/place-push.ts'
import type { AppendReply } from '../sink/sink.ts'
import { copyBytes, copyText, copyTexts } from './copy-text.ts'
import { type MachineStatus, readMachineStatus } from './machine-status.ts'

interface MachineRow {
  readonly machine: string
  readonly revoked: boolean
  readonly last_counter: string
  readonly team: string
  readonly bundle_name: string
  readonly bundle_revision: string
}

interface ChainState {
  readonly head: ChainEnd
  readonly anchor: ChainEnd
  /** The chain is new, and this is what its first push says. */
  readonly isNew?: CheckedPush
}

/** One push with all that its transaction needs to know. */
interface Placed {
  readonly push: CheckedPush
  readonly machine: MachineRow
  readonly placement: Placement
  readonly findings: readonly Finding[]
  readonly skewMs: number
}

/**
 * Stores pushes of different machines in one transaction. The rows of the machines are locked first, in order, so that
 * two collectors that get the same records at once store them once, and never wait for each other in a circle.
 */
export async function appendPushes(
  client: PoolClient,
  pushes: readonly CheckedPush[],
  { now, shard }: { readonly now: Date; readonly shard: number },
): Promise<readonly AppendReply[]> {
  const ids = [...new Set(pushes.map(({ machine }) => machine))]
  const machines = await lockMachines(client, ids)
  const chains = await readChains(client, pushes)
  const hashes = await comparedHashes(client, pushes, chains)
  const placed = pushes.flatMap((push): readonly Placed[] => {
    const machine = machines.get(push.machine)
    if (machine === undefined || machine.revoked) return []
    return [place(push, machine, chainOf(chains, push), hashes.get(keyOf(push)), now)]
  })
  const appended = placed.filter(({ placement }) => placement.kind === 'append')
  await createChains(client, appended, chains)
  const rows = appended.flatMap((each) => rowsOf(each, now))
  if (rows.length > 0) await copyRows(client, rows, now)
  await moveHeads(client, appended)
  await noteMachines(client, placed, now)
  await noteFindings(client, appended)
  await countDaily(client, rows, shard)
  return pushes.map((push): AppendReply => {
    const found = placed.find((each) => each.push === push)
    if (found === undefined) return { kind: 'revoked' }
    const { placement } = found
    return placement.kind === 'append' ? { kind: 'stored', head: placement.head } : placement
  })
}

function keyOf({ machine, branch }: { readonly machine: string; readonly branch: string }): string {
  return `${machine} ${branch}`
}

async function lockMachines(
  client: PoolClient,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MachineRow>> {
  const { rows } = await client.query<MachineRow>(
    `SELECT machine, revoked_at IS NOT NULL AS revoked, last_counter, team, bundle_name, bundle_revision
     FROM holdpoint.machines WHERE machine = ANY($1::uuid[]) ORDER BY machine FOR NO KEY UPDATE`,
    [ids],
  )
  return new Map(rows.map((row) => [row.machine, row]))
}

async function readChains(
  client: PoolClient,
  pushes: readonly CheckedPush[],
): Promise<ReadonlyMap<string, ChainState>> {
  const { rows } = await client.query(
    `SELECT c.machine, c.branch, head_seq, encode(head_hash, 'hex') AS head_hash, anchor_seq,
       encode(anchor_hash, 'hex') AS anchor_hash
     FROM unnest($1::uuid[], $2::text[]) AS p (machine, branch) JOIN holdpoint.chains c USING (machine, branch)`,
    [pushes.map(({ machine }) => machine), pushes.map(({ branch }) => branch)],
  )
  return new Map(
    rows.map((row) => [
      keyOf(row),
      {
        head: { seq: Number(row.head_seq), hash: row.head_hash },
        anchor: { seq: Number(row.anchor_seq), hash: row.anchor_hash },
      },
    ]),
  )
}

function chainOf(chains: ReadonlyMap<string, ChainState>, push: CheckedPush): ChainState {
  const known = chains.get(keyOf(push))
  if (known !== undefined) return known
  const start = { seq: push.parent?.seq ?? 0, hash: push.parent?.hash ?? GENESIS }
  return { head: start, anchor: start, isNew: push }
}

/** Only for pushes that begin before the end of what is stored: an answer was lost, or somebody sends them again. */
async function comparedHashes(
  client: PoolClient,
  pushes: readonly CheckedPush[],
  chains: ReadonlyMap<string, ChainState>,
): Promise<ReadonlyMap<string, string>> {
  const asked = pushes.flatMap((push) => {
    const { head, anchor, isNew } = chainOf(chains, push)
    const seq = comparedSeq(push, head)
    return isNew !== undefined || seq >= head.seq || seq <= anchor.seq ? [] : [{ push, seq }]
  })
  if (asked.length === 0) return new Map()
  const { rows } = await client.query(
    `SELECT r.machine, r.branch, encode(r.hash, 'hex') AS hash
     FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS p (machine, branch, seq)
     JOIN holdpoint.records r USING (machine, branch, seq)`,
    [
      asked.map(({ push }) => push.machine),
      asked.map(({ push }) => push.branch),
      asked.map(({ seq }) => seq),
    ],
  )
  return new Map(rows.map((row) => [keyOf(row), String(row.hash)]))
}

function place(
  push: CheckedPush,
  machine: MachineRow,
  chain: ChainState,
  hashAt: string | undefined,
  now: Date,
): Placed {
  const skewMs = now.getTime() - Date.parse(push.sentAt)
  const placement = placePush(push, chain, hashAt)
  if (placement.kind !== 'append') return { push, machine, placement, findings: [], skewMs }
  const clock = clockFinding(skewMs)
  const isBranch = chain.isNew !== undefined && push.parent !== undefined
  const findings = [
    ...(isBranch ? [branchFinding(push.parent)] : []),
    ...placement.findings,
    ...(clock === undefined ? [] : [clock]),
  ]
  return { push, machine, placement, findings, skewMs }
}

async function createChains(
  client: PoolClient,
  appended: readonly Placed[],
  chains: ReadonlyMap<string, ChainState>,
): Promise<void> {
  const fresh = appended.filter(({ push }) => !chains.has(keyOf(push)))
  if (fresh.length === 0) return
  const starts = fresh.map(({ push }) => chainOf(chains, push).head)
  await client.query(
    `INSERT INTO holdpoint.chains (machine, branch, parent_branch, head_seq, head_hash, anchor_seq, anchor_hash)
     SELECT machine, branch, nullif(parent, ''), seq, decode(hash, 'hex'), seq, decode(hash, 'hex')
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS p (machine, branch, parent, seq, hash)`,
    [
      fresh.map(({ push }) => push.machine),
      fresh.map(({ push }) => push.branch),
      fresh.map(({ push }) => push.parent?.branch ?? ''),
      starts.map(({ seq }) => seq),
      starts.map(({ hash }) => hash),
    ],
  )
}

interface StoredRow {
  readonly push: CheckedPush
  readonly team: string
  readonly row: CheckedRow
  readonly columns: RecordColumns
}

function rowsOf({ push, machine, placement, skewMs }: Placed, now: Date): readonly StoredRow[] {
  if (placement.kind !== 'append') return []
  return placement.rows.map((row) => {
    const columns = columnsOf(row, skewMs, now.getTime())
    return { push, team: machine.team, row, columns }
  })
}

const COPY = `COPY holdpoint.records (received_on, machine, branch, seq, at, id, host, event, session, agent, agent_type,
  tool, effect, project, project_path, hooks, duration_ms, revision, intact, hash, digest, salt, record) FROM STDIN`

async function copyRows(client: PoolClient, rows: readonly StoredRow[], now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  const lines = rows.map(({ push, row, columns: c }) =>
    [
      day,
      push.machine,
      push.branch,
      row.seq,
      new Date(c.occurredMs).toISOString(),
      copyText(c.id),
      copyText(c.host),
      copyText(c.event),
      copyText(c.session),
      copyText(c.agent),
      copyText(c.agentType),
      copyText(c.tool),
      c.effect,
      copyText(c.project),
      copyText(c.projectPath),
      copyTexts(c.hooks),
      c.durationMs,
      copyText(c.revision),
      row.intact ? 't' : 'f',
      copyBytes(row.hash),
      copyBytes(isHex(row.digest) ? row.digest : ''),
      copyBytes(isHex(row.salt) ? row.salt : ''),
      copyText(plain(row.text)),
    ].join('\t'),
  )
  await pipeline([Buffer.from(`${lines.join('\n')}\n`)], client.query(copyFrom(COPY)))
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]*$/.test(text)
}

async function moveHeads(client: PoolClient, appended: readonly Placed[]): Promise<void> {
  const moved = appended.flatMap(({ push, placement }) =>
    placement.kind === 'append' ? [{ ...push, head: placement.head }] : [],
  )
  if (moved.length === 0) return
  await client.query(
    `UPDATE holdpoint.chains c SET head_seq = p.seq, head_hash = decode(p.hash, 'hex')
     FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[]) AS p (machine, branch, seq, hash)
     WHERE c.machine = p.machine AND c.branch = p.branch AND c.head_seq < p.seq`,
    [
      moved.map(({ machine }) => machine),
      moved.map(({ branch }) => branch),
      moved.map(({ head }) => head.seq),
      moved.map(({ head }) => head.hash),
    ],
  )
}

/** An old push that is sent again must not make a machine look alive, so only a greater counter counts. */
async function noteMachines(client: PoolClient, placed: readonly Placed[], now: Date): Promise<void> {
  const current = placed.filter(({ push, machine }) => push.counter > Number(machine.last_counter))
  if (current.length === 0) return
  const rows = current.map(({ push, skewMs }) => ({
    machine: push.machine,
    counter: push.counter,
    skewMs,
    ...readMachineStatus(push.status ?? {}),
  }))
  await client.query(
    `UPDATE holdpoint.machines m SET last_seen = $2, last_counter = p.counter, clock_skew_ms = p."skewMs",
       hostname = p.hostname, username = p.username, platform = p.platform, version = p.version,
       bundle_name = p."bundleName", bundle_revision = p."bundleRevision", bundle_channel = p."bundleChannel",
       bundle_enforced = p."bundleEnforced", bundle_expires = p."bundleExpires", bundle_problem = p."bundleProblem",
       unguarded = p.unguarded, status = p.status
     FROM jsonb_to_recordset($1::jsonb) AS p (machine uuid, counter bigint, "skewMs" bigint, hostname text, username text,
       platform text, version text, "bundleName" text, "bundleRevision" bigint, "bundleChannel" text,
       "bundleEnforced" boolean, "bundleExpires" timestamptz, "bundleProblem" text, unguarded boolean, status jsonb)
     WHERE m.machine = p.machine`,
    [JSON.stringify(rows), now],
  )
  const changed = current.flatMap(({ machine }, at) => {
    const { bundleName, bundleRevision } = rows[at] as MachineStatus
    const isSame = machine.bundle_name === bundleName && Number(machine.bundle_revision) === bundleRevision
    return isSame || bundleName === '' ? [] : [{ machine: machine.machine, bundleName, bundleRevision }]
  })
  if (changed.length === 0) return
  await client.query(
    `INSERT INTO holdpoint.machine_bundles (machine, name, revision)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[]) ON CONFLICT DO NOTHING`,
    [
      changed.map(({ machine }) => machine),
      changed.map(({ bundleName }) => bundleName),
      changed.map(({ bundleRevision }) => bundleRevision),
    ],
  )
}

async function noteFindings(client: PoolClient, appended: readonly Placed[]): Promise<void> {
  const found = appended.flatMap(({ push, findings }) => findings.map((finding) => ({ push, finding })))
  if (found.length === 0) return
  await client.query(
    `INSERT INTO holdpoint.findings (machine, branch, kind, seq, detail)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[]) ON CONFLICT DO NOTHING`,
    [
      found.map(({ push }) => push.machine),
      found.map(({ push }) => push.branch),
      found.map(({ finding }) => finding.kind),
      found.map(({ finding }) => finding.seq),
      found.map(({ finding }) => finding.detail),
    ],
  )
}

/** One row for all decisions, and one for each guard that stopped something. */
async function countDaily(client: PoolClient, rows: readonly StoredRow[], shard: number): Promise<void> {
  const counts = new Map<string, number>()
  const add = (parts: readonly string[]) => {
    const key = JSON.stringify(parts)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const { team, columns } of rows) {
    if (columns.effect === '') continue
    const day = new Date(columns.occurredMs).toISOString().slice(0, 10)
    add([day, team, columns.project, '', columns.effect])
    if (columns.effect !== 'deny' && columns.effect !== 'ask') continue
    for (const guard of new Set(columns.because)) add([day, team, columns.project, guard, columns.effect])
  }
  if (counts.size === 0) return
  const keys = [...counts.keys()].sort()
  const column = (at: number) => keys.map((key) => String(JSON.parse(key)[at]))
  await client.query(
    `INSERT INTO holdpoint.daily AS d (day, team, project, guard, effect, shard, decisions)
     SELECT day, team, project, guard, effect, $7, decisions
     FROM unnest($1::date[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
       AS p (day, team, project, guard, effect, decisions)
     ON CONFLICT (day, team, project, guard, effect, shard) DO UPDATE SET decisions = d.decisions + EXCLUDED.decisions`,
    [column(0), column(1), column(2), column(3), column(4), keys.map((key) => counts.get(key) ?? 0), shard],
  )
}
