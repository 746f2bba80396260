import { join } from 'node:path'
import type { Enrollment, FleetHome } from '../../config/bundle/enrollment.ts'
import { fleetFolder, readEnrollment } from '../../config/bundle/enrollment.ts'
import { readFleetStatus } from '../../config/bundle/fleet-status.ts'
import { managedInputs } from '../../config/bundle/managed.ts'
import { describeProblem, type Result } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { VERSION } from '../../core/version.ts'
import { readHoles } from '../../storage/journal/holes.ts'
import type { ChainPart } from '../../storage/journal/store.ts'
import { stampOf } from '../../system/file-stamp.ts'
import { isPlanFresh } from '../../system/plan-cache.ts'
import { folderStore } from './bundle-store.ts'
import { fileCursor } from './cursor-file.ts'
import { fetchNow } from './fetch-now.ts'
import { createFleetHttp, type FleetHttp } from './http.ts'
import { ensureMachine } from './machine.ts'
import { type PushContext, pushJournal } from './push-journal.ts'
import { createSchedule, type Schedule } from './schedule.ts'

/** What the thread of the journal does for a fleet: it fetches the policy and sends the records. Never for a hook. */
export interface FleetClient {
  /** Called about once a second. Returns at once; what takes longer goes on in the background. */
  tick(facts: JsonObject): void
  /** The last problem; undefined if there is none. */
  trouble(): string | undefined
}

export interface FleetClientOptions {
  readonly home: FleetHome & { readonly journal: string }
  /** The journal as it is now; undefined if there are no records yet. */
  chain(after: number, limit: number): ChainPart | undefined
  /** Who and what this machine is, for the central views. */
  readonly identity: JsonObject
  now(): Date
  chance(): number
}

/** At most this long after the start of a daemon: many machines start at the same hour. */
const FIRST_MAX_MS = 10_000
const PUSH_EVERY_MS = 5_000
/** Records that pile up are sent one batch after the other, and then others get a turn. */
const BATCHES_MAX = 20

export function createFleetClient(options: FleetClientOptions): FleetClient {
  const { home, now, chance } = options
  const folder = fleetFolder(home)
  const nowMs = () => now().getTime()
  let fetching: Task | undefined
  let pushing: Task | undefined
  let key = ''
  let http: FleetHttp | undefined
  let stamps: readonly ReturnType<typeof stampOf>[] = []

  /** A changed enrollment begins anew, with its own network settings. */
  function begin(enrollment: Enrollment): void {
    key = JSON.stringify(enrollment)
    http?.close()
    http = createFleetHttp(enrollment)
    const firstMs = () => nowMs() + FIRST_MAX_MS * chance()
    fetching = createTask(createSchedule(enrollment.pollSeconds * 1000, chance), firstMs(), nowMs)
    pushing = createTask(createSchedule(PUSH_EVERY_MS, chance), firstMs(), nowMs)
  }

  /** The last push without records was at this time: a machine that has nothing to say is still seen. */
  let saidMs = 0

  async function push(enrollment: Enrollment, facts: JsonObject): Promise<Result<Outcome>> {
    const { collector } = enrollment
    const machine = ensureMachine(folder)
    if (!machine.ok) return machine
    if (collector === undefined || http === undefined) return { ok: true, value: { kind: 'done' } }
    const cursor = fileCursor(join(folder, 'push.json'))
    // A journal that is not there now is not an empty one: the collector would take it for one that was started anew.
    if (options.chain(0, 0) === undefined && (cursor.read()?.seq ?? 0) > 0)
      return { ok: true, value: { kind: 'done' } }
    const chain = (after: number, limit: number) => options.chain(after, limit) ?? EMPTY
    const isQuiet = chain(cursor.read()?.seq ?? 0, 1).rows.length === 0
    if (isQuiet && nowMs() - saidMs < enrollment.pollSeconds * 1000)
      return { ok: true, value: { kind: 'done' } }
    const context: PushContext = {
      ...collector,
      machine: machine.value,
      labels: enrollment.labels,
      journal: { chain },
      cursor,
      http,
      status: () => statusOf(facts),
      now,
    }
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const pushed = await pushJournal(context)
      if (!pushed.ok) return pushed
      if (pushed.value.kind === 'later') return { ok: true, value: pushed.value }
      saidMs = nowMs()
      if (!pushed.value.more) break
    }
    return { ok: true, value: { kind: 'done' } }
  }

  function statusOf(facts: JsonObject): JsonObject {
    const fleet = readFleetStatus(home, nowMs())
    const { bundle, channel = '', enforced = false } = fleet ?? {}
    const problem = fleet?.problem ?? fleet?.check?.problem
    return {
      ...options.identity,
      ...facts,
      version: VERSION,
      holes: readHoles(home.journal).length,
      bundle: {
        ...(bundle === undefined
          ? {}
          : { name: bundle.name, revision: bundle.revision, expires: bundle.expires }),
        channel,
        enforced,
        ...(problem === undefined ? {} : { problem: problem.slice(0, PROBLEM_MAX) }),
      },
    }
  }

  /** Files of the bundle that were changed are put back within seconds. Until then everything is denied. */
  function restore(enrollment: Enrollment): void {
    if (stamps.length > 0 && isPlanFresh({ stamps })) return
    folderStore(folder, enrollment).isWhole()
    stamps = managedInputs(home).map(stampOf)
  }

  return {
    tick(facts) {
      const read = readEnrollment(home)
      if (read.kind !== 'enrolled') return
      const { enrollment } = read
      if (JSON.stringify(enrollment) !== key) begin(enrollment)
      restore(enrollment)
      fetching?.runIfDue(async () => outcomeOf(await fetchNow(folder, enrollment, now, http)))
      pushing?.runIfDue(async () => push(enrollment, facts))
    },
    trouble: () => fetching?.trouble() ?? pushing?.trouble(),
  }
}

const PROBLEM_MAX = 200
const EMPTY: ChainPart = { previous: { seq: 0, hash: '0'.repeat(64) }, rows: [] }

type Outcome = Parameters<Schedule['afterMs']>[0]

function outcomeOf(fetched: Awaited<ReturnType<typeof fetchNow>>): Result<Outcome> {
  if (!fetched.ok) return fetched
  return { ok: true, value: fetched.value.kind === 'later' ? fetched.value : { kind: 'done' } }
}

interface Task {
  runIfDue(work: () => Promise<Result<Outcome>>): void
  trouble(): string | undefined
}

/** One thing that is done again and again, never twice at once. */
function createTask(schedule: Schedule, firstMs: number, nowMs: () => number): Task {
  let dueMs = firstMs
  let isBusy = false
  let wrong: string | undefined
  const settle = (outcome: Outcome, problem: string | undefined) => {
    isBusy = false
    wrong = problem
    dueMs = nowMs() + schedule.afterMs(outcome)
  }
  return {
    runIfDue(work) {
      // A clock that was set back must not stop it for a year.
      if (isBusy || (nowMs() < dueMs && dueMs - nowMs() < DUE_MAX_MS)) return
      isBusy = true
      work().then(
        (result) =>
          result.ok ? settle(result.value, undefined) : settle(FAILED, describeProblem(result.problem)),
        (error: unknown) => settle(FAILED, error instanceof Error ? error.message : String(error)),
      )
    },
    trouble: () => wrong,
  }
}

const FAILED: Outcome = { kind: 'failed' }
/** Longer than any wait of a schedule. */
const DUE_MAX_MS = 2 * 24 * 60 * 60 * 1000
