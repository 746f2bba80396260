import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { journalSettingsOf } from '../app/journal-settings.ts'
import type { Effect } from '../core/decision.ts'
import { HoldpointError } from '../core/errors.ts'
import { openJournal } from '../storage/journal/journal.ts'
import type { ChainReport, Query, StoredRecord } from '../storage/journal/store.ts'
import { forgetSessions } from '../storage/state/file-state.ts'
import { homeLayout } from '../system/home.ts'
import { findProject } from '../system/project.ts'
import type { Caller } from './caller.ts'
import { createLogPrinter } from './log-lines.ts'
import { warnOfPause } from './pause-warning.ts'
import { visibleJson } from './visible.ts'

interface LogOptions extends Pick<Query, 'session' | 'agent' | 'event' | 'tool' | 'hook' | 'project'> {
  readonly follow?: boolean
  readonly json?: boolean
  readonly verify?: boolean
  readonly limit?: string
  readonly erase?: string
  readonly effect?: Effect
  readonly since?: string
  readonly home?: string
  readonly all?: boolean
}

const SHOWN = 50
const FOLLOW_EVERY_MS = 300

/** Imports what hooks have left in the spool, then prints, follows or verifies the journal. */
export async function log(caller: Caller, options: LogOptions): Promise<void> {
  const home = homeLayout(options.home, caller.env)
  if (options.erase !== undefined) return (await import('./erase.ts')).erase(caller, options.erase, home)
  warnOfPause(caller, options.home)
  const journal = await openJournal(home.journal)
  const { store } = journal
  try {
    // Checked before the spool is imported: the import changes the chain's end mark next to the database.
    if (options.verify === true) refuseBroken(caller, store.verify())
    journal.importSpool()
    const retention = (await journalSettingsOf(home, Date.now()))?.retention
    if (retention !== undefined) store.retain({ ...retention, now: new Date() })
    forgetSessions(home.state, new Date())
    if (options.verify === true) {
      const chain = store.verify()
      refuseBroken(caller, chain)
      caller.stdout.write(`${caller.colours.green('intact')}: ${chain.message}\n`)
      return
    }
    let last = 0
    const print = createLogPrinter(caller)
    const show = (query: Query) => {
      const records = [...store.read(query)]
      last = Math.max(last, ...records.map(({ seq }) => seq))
      caller.stdout.write(
        options.json === true ? records.map((each) => `${asJson(each)}\n`).join('') : print(records),
      )
    }
    show(queryFrom(caller, options))
    if (options.follow !== true) {
      if (last === 0 && options.json !== true)
        caller.stderr.write('The journal has no matching records yet.\n')
      return
    }
    const { limit: _limit, ...query } = queryFrom(caller, options)
    last = Math.max(last, newest(store.read({ limit: 1 })))
    for (;;) {
      await sleep(FOLLOW_EVERY_MS)
      journal.importSpool()
      show({ ...query, after: last })
    }
  } finally {
    store.close()
  }
}

function newest(records: Iterable<StoredRecord>): number {
  let seq = 0
  for (const stored of records) seq = stored.seq
  return seq
}

function refuseBroken(caller: Caller, chain: ChainReport): void {
  if (chain.ok) return
  caller.stdout.write(`${caller.colours.red('broken')}: ${chain.message}\n`)
  throw new HoldpointError({ code: 'JOURNAL_BROKEN', message: chain.message })
}

function queryFrom(caller: Caller, options: LogOptions): Query {
  const limit = readLimit(options)
  const given = {
    ...options,
    project:
      options.project === undefined || options.all === true
        ? undefined
        : findProject(resolve(caller.cwd, options.project)),
    since: options.since === undefined ? undefined : sinceTime(options.since, new Date()),
    limit,
  }
  const keys = ['session', 'agent', 'event', 'tool', 'effect', 'hook', 'project', 'since', 'limit'] as const
  return Object.fromEntries(keys.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])))
}

function readLimit(options: LogOptions): number | undefined {
  if (options.limit === undefined) return options.json === true ? undefined : SHOWN
  const limit = Number(options.limit)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--limit',
    message: `"${options.limit}" is not a number.`,
  })
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** An ISO time, or how long ago: 30m, 2h, 7d. */
export function sinceTime(text: string, now: Date): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count !== undefined && (unit === 'm' || unit === 'h' || unit === 'd')) {
    return new Date(now.getTime() - Number(count) * UNIT_MS[unit]).toISOString()
  }
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new HoldpointError({
    code: 'OPTION_INVALID',
    key: '--since',
    message: `"${text}" is not a time.`,
    fix: 'Write an ISO time such as 2026-01-31T09:00, or 30m, 2h, 7d.',
  })
}

function asJson({ seq, hash, record }: StoredRecord): string {
  return visibleJson(JSON.stringify({ seq, ...record, hash }))
}
