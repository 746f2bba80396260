import type { SessionRecord, StopsQuery } from '../../core/fleet-package.ts'
import { isObject, textAt } from '../../core/json.ts'
import type { Caller } from '../caller.ts'
import { durationMs } from '../duration.ts'
import { plural, say } from '../screen.ts'
import { visible } from '../visible.ts'
import { type CentralOptions, printJson, withFleet } from './database.ts'
import { countOption } from './options.ts'

interface StopsOptions extends CentralOptions {
  readonly by: StopsQuery['by']
  readonly since?: string
  readonly team?: string
  readonly project?: string
}

export function showStops(caller: Caller, options: StopsOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const { by, since, team, project } = options
    const rows = await fleet.stops({
      by,
      since: new Date(Date.now() - durationMs(since ?? '30d', '--since')).toISOString().slice(0, 10),
      ...(team === undefined ? {} : { team }),
      ...(project === undefined ? {} : { project }),
    })
    if (options.json === true) return printJson(caller, rows)
    for (const { name, denied, asked } of rows)
      say(caller, `${visible(name)}: ${denied} denied, ${asked} asked`)
  })
}

interface SessionOptions extends CentralOptions {
  readonly limit?: string
}

const SESSION_RECORDS = '1000'

/** Exit code 1 if no machine knows the session. */
export function showSession(caller: Caller, session: string, options: SessionOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const limit = countOption(options.limit ?? SESSION_RECORDS, '--limit', 1, 100_000)
    const records = await fleet.session(session, limit)
    if (options.json === true) printJson(caller, records)
    else if (records.length === 0) say(caller, 'No machine has sent a record of this session.')
    else for (const record of records) say(caller, sessionLine(record))
    if (records.length === 0) caller.exitCode = 1
  })
}

function sessionLine({ at, hostname, user, intact, record }: SessionRecord): string {
  const field = (key: string) => (isObject(record) ? (textAt(record, key) ?? '') : '')
  const what = [field('event'), field('tool'), field('input').slice(0, 120)].filter((each) => each !== '')
  const words = `${at.slice(0, 19).replace('T', ' ')} ${hostname} ${user}: ${field('effect')} ${what.join(' ')}`
  return visible(intact ? words : `CHANGED ${words}`, 400)
}

interface RolloutOptions extends CentralOptions {
  readonly name?: string
}

export function showRollout(caller: Caller, options: RolloutOptions): Promise<void> {
  return withFleet(caller, options, async (fleet) => {
    const rows = await fleet.rollout(options.name)
    if (options.json === true) return printJson(caller, rows)
    if (rows.length === 0) return say(caller, 'No machine has a bundle yet.')
    const newest = new Map(rows.map((row) => [`${row.name} ${row.revision}`, row]))
    for (const { name, revision, machinesSoFar, minute } of newest.values()) {
      const when = minute.slice(0, 16).replace('T', ' ')
      say(
        caller,
        visible(
          `${name} revision ${revision}: ${plural(machinesSoFar, 'machine')} so far, the last at ${when} UTC`,
        ),
      )
    }
  })
}
