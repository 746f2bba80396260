import { type Effect, stricter } from '../core/decision.ts'
import { localTime } from '../core/formats/local-time.ts'
import type { JournalRecord, StoredRecord } from '../storage/journal/store.ts'
import type { Caller } from './caller.ts'
import { foldedText, screenWidth, tilde } from './screen.ts'
import { visible } from './visible.ts'

/**
 * Prints records for people: one line for each call with all its events, below the name of its project. It remembers
 * the project between two calls, for `--follow`.
 */
export function createLogPrinter(caller: Caller): (records: readonly StoredRecord[]) => string {
  let project: string | undefined
  return (records) =>
    callsOf(records)
      .map((call) => {
        const [{ project: next }] = call
        const head =
          next === project
            ? ''
            : `${caller.colours.bold(next === '' ? 'no project' : tilde(caller, visible(next)))}\n`
        project = next
        return `${head}${lineOf(caller, call)}\n`
      })
      .join('')
}

type Call = readonly [JournalRecord, ...JournalRecord[]]

/** Events of one call, put where its first event is. */
function callsOf(records: readonly StoredRecord[]): readonly Call[] {
  const calls = new Map<string, [JournalRecord, ...JournalRecord[]]>()
  for (const { seq, record } of records) {
    const id = record.extra?.call
    const key = typeof id === 'string' ? JSON.stringify([record.session, id, record.tool]) : String(seq)
    const known = calls.get(key)
    if (known === undefined) calls.set(key, [record])
    else known.push(record)
  }
  return [...calls.values()]
}

const COLOUR: Readonly<Record<Effect, 'dim' | 'green' | 'yellow' | 'red'>> = {
  pass: 'dim',
  allow: 'green',
  ask: 'yellow',
  deny: 'red',
}

/** Nothing of a record is our own text: all of it is shown so that it moves no cursor and hides nothing. */
function lineOf(caller: Caller, call: Call): string {
  const [first] = call
  const effect = call.reduce<Effect>((strictest, { effect: each }) => stricter(strictest, each), 'pass')
  const events = visible([...new Set(call.map(({ event }) => event))].join(', '))
  const who = first.agentType ?? first.agent ?? 'main'
  const input = first.input === undefined ? (first.notices?.[0] ?? '') : first.input
  const what = [first.tool === undefined ? '' : oneLine(first.tool, INPUT_MAX), oneLine(input, INPUT_MAX)]
    .filter((each) => each !== '')
    .join(' ')
  const because = [...new Set(call.flatMap((each) => each.because))]
  const failed = call.flatMap((each) => each.failed ?? [])
  const paused = call.some(({ extra }) => extra?.paused !== undefined)
  const text = [
    events,
    first.host === 'person' ? 'by a person:' : oneLine(who, INPUT_MAX),
    what,
    because.length === 0 ? '' : caller.colours.dim(`[${visible(namesIn(because))}]`),
    failed.length === 0 ? '' : caller.colours.yellow(`failed: ${visible(failed.join('; '))}`),
    paused ? caller.colours.red('PAUSED') : '',
    caller.colours.dim(visible(first.id, 80)),
  ]
  const time = visible(localTime(first.at))
  const colour = caller.colours[COLOUR[effect] ?? 'dim']
  return foldedText(
    text.filter((each) => each !== '').join(' '),
    `${caller.colours.dim(time)} ${colour(oneLine(effect, 10).padEnd(5))} `,
    screenWidth(caller.stdout),
  )
}

const INPUT_MAX = 60
/** A command that cannot be read is stopped by nearly every guard. */
const NAMES_MAX = 5

function namesIn(hooks: readonly string[]): string {
  const more = hooks.length - NAMES_MAX
  return more > 0 ? `${hooks.slice(0, NAMES_MAX).join(', ')} and ${more} more` : hooks.join(', ')
}

function oneLine(text: string, max: number): string {
  const flat = visible(text.replaceAll(/\s+/g, ' '))
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}
