import type { TracedRun } from '../app/decide-event.ts'
import { isRecordId } from '../app/record-id.ts'
import type { Effect } from '../core/decision.ts'
import { HoldpointError } from '../core/errors.ts'
import { toolOf } from '../core/event.ts'
import { isAllowNotice } from '../core/exceptions.ts'
import { guardRunOf } from '../core/guard-run.ts'
import type { Hook } from '../core/hook.ts'
import { isObject } from '../core/json.ts'
import { redact } from '../core/redact/redact.ts'
import { openJournal } from '../storage/journal/journal.ts'
import type { JournalRecord, Query, Store, StoredRecord } from '../storage/journal/store.ts'
import { homeLayout } from '../system/home.ts'
import { type CallOptions, commandCall, type TriedCall, tryCall } from '../tools/explain/call.ts'
import { explainedCall, explainedOutcome, shellLinesOf, stopsIn } from '../tools/explain/explained.ts'
import type { Caller } from './caller.ts'
import { effectLines } from './effects-lines.ts'
import { layerText, stopLines } from './explain-stops.ts'
import { warnOfPause } from './pause-warning.ts'
import { problemLine } from './problem-line.ts'
import { fitted, foldedText, plural, screenWidth } from './screen.ts'
import { stopsOf } from './stops.ts'
import { visible, visibleJson, visibleLines } from './visible.ts'

/**
 * Explains a decision: the hooks that matched, each finding, the command as Holdpoint read it, the origins.
 */
export async function explain(
  caller: Caller,
  what: string | undefined,
  options: ExplainOptions,
): Promise<void> {
  if (what !== undefined) return explainNamed(caller, what, options)
  if (options.effects !== undefined)
    return (await import('./explain-effects.ts')).explainEffects(caller, options.effects, options)
  warnOfPause(caller, options.home)
  if (options.last === true) return explainLast(caller, options)
  if (options.tool === undefined && options.event === 'PreToolUse') {
    const message = 'Pass a record id, a guard, a command in quotes, --last, --effects, or --tool and --args.'
    throw new HoldpointError({ code: 'OPTION_INVALID', message })
  }
  return explainCall(caller, options)
}

/** What one word or text names: a record, else a guard, else a shell command. */
async function explainNamed(caller: Caller, what: string, options: ExplainOptions): Promise<void> {
  const other = (['effects', 'last', 'session'] as const).find((key) => options[key] !== undefined)
  if (other !== undefined) {
    const message = `"${visible(what, NAME_MAX)}" says what to explain, so --${other} cannot be used with it.`
    throw new HoldpointError({ code: 'OPTION_INVALID', key: `--${other}`, message })
  }
  const call = commandCall(what, options)
  warnOfPause(caller, options.home)
  const isOneWord = !/\s/.test(what)
  if (isOneWord && (await explainRecord(caller, (store) => store.find(what), options))) return
  if (isOneWord && (await (await import('./guards.ts')).explainGuard(caller, what, options))) return
  if (isRecordId(what)) {
    const message = `The journal has no record "${what}".`
    throw new HoldpointError({ code: 'RECORD_UNKNOWN', message })
  }
  if (isOneWord)
    caller.stderr.write(
      `${fitted(`No record and no guard is called "${visible(what, NAME_MAX)}", so this explains the command of that name.`, screenWidth(caller.stderr))}\n`,
    )
  return explainCall(caller, call)
}

const NAME_MAX = 100

async function explainCall(caller: Caller, options: ExplainOptions): Promise<void> {
  const tried = await tryCall(caller, options)
  if (options.json === true)
    caller.stdout.write(`${visibleJson(JSON.stringify(explainedCall(tried), null, 2))}\n`)
  else print(caller, tried)
}

interface ExplainOptions extends CallOptions {
  /** The last stopped call. */
  readonly last?: boolean
  /** A command whose effects are shown. */
  readonly effects?: string
  /** Only in this session; in all sessions if missing. */
  readonly session?: string
}

async function explainLast(caller: Caller, options: ExplainOptions): Promise<void> {
  if (await explainRecord(caller, (store) => lastStop(store, options.session), options)) return
  // Not an error: the user cannot know whether a call was stopped.
  const where = options.session === undefined ? '' : ' in this session'
  caller.stdout.write(options.json === true ? 'null\n' : `No call was stopped${where}.\n`)
}

/** False if there is no such record. */
async function explainRecord(
  caller: Caller,
  choose: (store: Store) => StoredRecord | undefined,
  options: ExplainOptions,
): Promise<boolean> {
  const journal = await openJournal(homeLayout(options.home, caller.env).journal)
  const { store } = journal
  try {
    journal.importSpool()
    const found = choose(store)
    if (found === undefined) return false
    const { seq, hash, record } = found
    if (options.json === true)
      caller.stdout.write(`${visibleJson(JSON.stringify({ seq, ...record, hash }, null, 2))}\n`)
    else printRecord(caller, record, { seq, hash })
    return true
  } finally {
    store.close()
  }
}

/**
 * The texts of a record come from an agent. Control characters are escaped so that they cannot change the
 * terminal.
 */
function printRecord(
  caller: Caller,
  record: JournalRecord,
  chain: { readonly seq: number; readonly hash: string },
): void {
  const { extra: { stops: _stops, ...extra } = {}, ...rest } = record
  const rows = { ...rest, ...(Object.keys(extra).length === 0 ? {} : { extra }), ...chain }
  for (const [key, value] of Object.entries(rows)) {
    const text = visible(shownValue(value), TEXT_MAX)
    caller.stdout.write(
      `${foldedText(text, `${caller.colours.dim(visible(key, 80).padEnd(10))} `, screenWidth(caller.stdout))}\n`,
    )
  }
  for (const line of stopLines(caller.colours, stopsOf(record), true))
    caller.stdout.write(`${fitted(line, screenWidth(caller.stdout))}\n`)
}

/** A list of texts is shown as its texts. */
function shownValue(value: unknown): string {
  if (typeof value === 'string') return value
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isTexts ? value.join(', ') : JSON.stringify(value)
}

/** Longer than any text in the journal. */
const TEXT_MAX = 10_000

function print(caller: Caller, tried: TriedCall): void {
  const { decision, plan, trace } = tried
  const out = (text: string) =>
    caller.stdout.write(`${fitted(redact(text, tried.loaded.maskers), screenWidth(caller.stdout))}\n`)
  const tool = toolOf(tried.event)
  out(
    `${caller.colours.bold(decision.effect)}  ${visibleLines(tool?.name ?? tried.event.kind)} ${visibleLines(JSON.stringify(tool?.input ?? {}))}`,
  )
  for (const reason of decision.reasons) out(`  ${visibleLines(reason.text, '  ')}`)
  for (const line of stopLines(caller.colours, stopsIn(tried), false)) out(line)
  const effects = effectLines(caller, tried)
  if (effects.length > 0) out(caller.colours.dim('\nit would also'))
  for (const line of effects) out(`  ${line}`)
  const commands = shellLinesOf(tried)
  if (commands !== undefined) {
    out(caller.colours.dim('\nthe command, as Holdpoint read it'))
    for (const command of commands) out(`  ${visibleLines(command)}`)
  }
  out(caller.colours.dim('\nhooks that matched, in order'))
  if (trace.length === 0) out('  none: no policy applies to this event')
  // Most guards have no finding for most calls, so they are only counted.
  const guards = new Set(
    plan.hooks.flatMap(({ run }, index) => (guardRunOf(run) === undefined ? [] : [index])),
  )
  const speaking = trace.filter(({ hookIndex, outcome }) => outcome !== null || !guards.has(hookIndex))
  for (const traced of speaking.slice(0, HOOKS_MAX))
    out(`  ${hookLine(caller, traced, plan.hooks[traced.hookIndex])}`)
  if (speaking.length > HOOKS_MAX) out(`  ${speaking.length - HOOKS_MAX} more (--json lists them)`)
  const silent = trace.length - speaking.length
  if (silent > 0) out(`  pass   ${plural(silent, 'guard')} without a finding (--json lists them)`)
  for (const notice of decision.notices.filter((each) => !isAllowNotice(each))) {
    out(`${caller.colours.dim('notice')} ${visibleLines(notice)}`)
  }
  for (const problem of [...tried.loaded.broken, ...plan.problems])
    out(`${caller.colours.yellow('configuration')} ${problemLine(problem)}`)
}

const HOOKS_MAX = 20

function hookLine(caller: Caller, traced: TracedRun, hook: Hook | undefined): string {
  const { said, detail } = explainedOutcome(traced)
  // What a guard reports about a stop is printed on separate lines.
  const more =
    detail === undefined || (isObject(detail) && 'does' in detail)
      ? ''
      : `\n         ${caller.colours.dim(visibleLines(JSON.stringify(detail)))}`
  const origin = hook?.origin
  const place =
    origin === undefined ? '' : `${origin.file}${origin.line === undefined ? '' : `:${origin.line}`}`
  return `${String(said).padEnd(6)} ${hook?.id ?? '?'} ${caller.colours.dim(`${traced.durationMs.toFixed(2)} ms, ${hook?.rank === undefined ? '' : layerText(place, hook.rank)}`)}${more}`
}

/** The effects that count as stopped. */
const STOPS: readonly Effect[] = ['deny', 'ask']

/** The newest record of a stopped call, in one session or in all. */
function lastStop(store: Store, session: string | undefined): StoredRecord | undefined {
  const query: Query = { limit: 1, ...(session === undefined ? {} : { session }) }
  const newest = STOPS.flatMap((effect) => [...store.read({ ...query, effect })])
  return newest.sort((a, b) => b.seq - a.seq)[0]
}
