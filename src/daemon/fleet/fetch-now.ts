import type { Enrollment } from '../../config/bundle/enrollment.ts'
import { noteCheck, readCheck } from '../../config/bundle/fleet-status.ts'
import { describeProblem, type Result } from '../../core/errors.ts'
import { folderStore } from './bundle-store.ts'
import { type FetchOutcome, fetchBundle } from './fetch-bundle.ts'
import { createFleetHttp, type FleetHttp } from './http.ts'
import { ensureMachine } from './machine.ts'
import { fleetSource } from './source.ts'

/** Asks the server of an enrollment once, keeps what it accepts in a folder, and notes the result there. */
export async function fetchNow(
  folder: string,
  enrollment: Enrollment,
  now: () => Date,
  http: FleetHttp = createFleetHttp(enrollment),
): Promise<Result<FetchOutcome>> {
  const machine = ensureMachine(folder)
  if (!machine.ok) return machine
  const fetched = await fetchBundle({
    enrollment,
    machine: machine.value.id,
    store: folderStore(folder, enrollment),
    source: fleetSource(enrollment.url, http, enrollment.authorization),
    now,
  })
  const at = now().toISOString()
  const before = readCheck(folder)?.reachedAt
  const isReached = fetched.ok && fetched.value.kind !== 'later'
  const reachedAt = isReached ? at : before
  noteCheck(folder, {
    at,
    ...(reachedAt === undefined ? {} : { reachedAt }),
    ...(fetched.ok ? {} : { problem: describeProblem(fetched.problem) }),
  })
  return fetched
}
