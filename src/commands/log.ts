import { setTimeout as sleep } from 'node:timers/promises'
import pc from 'picocolors'
import type { Effect } from '../decision.ts'
import { HoldpointError } from '../errors.ts'
import { openJournal } from '../journal.ts'
import type { ChainReport, Query, StoredRecord } from '../stores/store.ts'
import { homeLayout } from '../world/home.ts'

interface LogOptions extends Pick<Query, 'session' | 'agent' | 'event' | 'tool' | 'hook' | 'project'> {
  readonly follow?: boolean
  readonly json?: boolean
  readonly verify?: boolean
  readonly limit?: string
  readonly effect?: Effect
  readonly since?: string
  readonly home?: string
}

const SHOWN = 50
const FOLLOW_EVERY_MS = 300

/** Takes in what hooks have left in the spool, then prints, follows or verifies the journal. */
export async function log(options: LogOptions): Promise<void> {
  const home = homeLayout(options.home, process.env)
  const journal = await openJournal(home)
  const { store } = journal
  try {
    // Before anything is added: what is taken in moves the witness beside the database.
    if (options.verify === true) report(store.verify(), 'as it was found')
    journal.takeIn()
    await journal.retain()
    if (options.verify === true) return report(store.verify(), 'with everything taken in')
    let last = 0
    const show = (query: Query) => {
      for (const stored of store.read(query)) {
        last = Math.max(last, stored.seq)
        process.stdout.write(options.json === true ? `${asJson(stored)}\n` : `${asLine(stored)}\n`)
      }
    }
    show(queryFrom(options))
    if (options.follow !== true) {
      if (last === 0 && options.json !== true) process.stderr.write('The journal has no such records yet.\n')
      return
    }
    const { limit: _limit, ...query } = queryFrom(options)
    last = Math.max(last, newest(store.read({ limit: 1 })))
    for (;;) {
      await sleep(FOLLOW_EVERY_MS)
      journal.takeIn()
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

function report(chain: ChainReport, when: string): void {
  process.stdout.write(`${chain.ok ? pc.green('intact') : pc.red('broken')}, ${when}: ${chain.message}\n`)
  if (!chain.ok) throw new HoldpointError({ code: 'JOURNAL_BROKEN', message: chain.message })
}

function queryFrom(options: LogOptions): Query {
  const limit = readLimit(options)
  const given = {
    ...options,
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
    message: `"${options.limit}" is not a count.`,
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
  return JSON.stringify({ seq, ...record, hash })
}

const COLOUR: Readonly<Record<Effect, (text: string) => string>> = {
  pass: pc.dim,
  allow: pc.green,
  ask: pc.yellow,
  deny: pc.red,
}

function asLine({ record }: StoredRecord): string {
  const what = [
    record.tool ?? record.event,
    record.input === undefined ? '' : oneLine(record.input, 60),
  ].join(' ')
  const who = record.agentType ?? (record.agent === undefined ? 'main' : record.agent)
  const why = record.because.length === 0 ? '' : pc.dim(` [${record.because.join(', ')}]`)
  const failed = record.failed === undefined ? '' : pc.yellow(` failed: ${record.failed.join('; ')}`)
  const time = record.at.slice(0, 19).replace('T', ' ')
  return `${pc.dim(time)} ${COLOUR[record.effect](record.effect.padEnd(5))} ${who.padEnd(10)} ${what}${why}${failed} ${pc.dim(record.id)}`
}

function oneLine(text: string, max: number): string {
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}
