import pc from 'picocolors'
import { isFailure } from '../decision.ts'
import { HoldpointError } from '../errors.ts'
import { toolOf } from '../event.ts'
import type { Hook } from '../hook.ts'
import { openJournal } from '../journal.ts'
import { isObject, type JsonObject } from '../json.ts'
import { stopOf } from '../record.ts'
import { redact, redactJson } from '../redact.ts'
import type { Traced } from '../rehearse.ts'
import { analyze } from '../shell/commands.ts'
import type { JournalRecord } from '../stores/store.ts'
import { homeLayout } from '../world/home.ts'
import { type CallOptions, type TriedCall, tryCall } from './call.ts'
import { stopLines } from './explain-stops.ts'
import { stopsOf } from './stops.ts'
import { visible } from './visible.ts'

/** Why a call is decided as it is: the hooks that matched, each finding, the command as it was read, the origins. */
export async function explain(id: string | undefined, options: CallOptions): Promise<void> {
  if (id !== undefined) return explainRecord(id, options)
  if (options.tool === undefined && options.event === 'PreToolUse') {
    throw new HoldpointError({ code: 'OPTION_INVALID', message: 'Name a record id, or --tool and --args.' })
  }
  const tried = await tryCall(options)
  if (options.json === true) process.stdout.write(`${JSON.stringify(explained(tried), null, 2)}\n`)
  else print(tried)
}

async function explainRecord(id: string, options: CallOptions): Promise<void> {
  const journal = await openJournal(homeLayout(options.home, process.env))
  const { store } = journal
  try {
    journal.takeIn()
    const found = store.find(id)
    if (found === undefined) {
      throw new HoldpointError({ code: 'RECORD_UNKNOWN', message: `The journal has no record ${id}.` })
    }
    const { seq, hash, record } = found
    if (options.json === true) {
      process.stdout.write(`${JSON.stringify({ seq, ...record, hash }, null, 2)}\n`)
      return
    }
    printRecord(record, { seq, hash })
  } finally {
    store.close()
  }
}

/** Texts of a record come from an agent, and are shown so that they move no cursor. */
function printRecord(record: JournalRecord, chain: { readonly seq: number; readonly hash: string }): void {
  const { extra: { stops: _stops, ...extra } = {}, ...rest } = record
  const rows = { ...rest, ...(Object.keys(extra).length === 0 ? {} : { extra }), ...chain }
  for (const [key, value] of Object.entries(rows)) {
    const text = visible(typeof value === 'string' ? value : JSON.stringify(value), TEXT_MAX)
    process.stdout.write(`${pc.dim(key.padEnd(10))} ${text}\n`)
  }
  for (const stop of stopsOf(record)) process.stdout.write(`\n${stopLines(stop, true).join('\n')}\n`)
}

/** Longer than anything the journal keeps. */
const TEXT_MAX = 10_000

function explained(tried: TriedCall): JsonObject {
  const { decision, event, plan } = tried
  const { findings: _findings, ...rest } = decision
  const hooks = tried.trace.map((traced) => {
    const hook = plan.hooks[traced.order]
    return {
      hook: hook?.id ?? '',
      origin: hook?.origin ?? null,
      ...outcomeOf(traced),
      durationMs: traced.durationMs,
    }
  })
  const value = {
    event: { kind: event.kind, tool: toolOf(event) ?? null, cwd: event.cwd },
    actor: tried.actor,
    decision: rest,
    hooks,
    stops: stopsIn(tried),
    shell: shellOf(tried) ?? null,
    revision: plan.revision,
    problems: [...tried.loaded.broken, ...plan.problems],
  }
  return redactJson(JSON.parse(JSON.stringify(value)) as JsonObject, tried.loaded.maskers) as JsonObject
}

/** What each guard that stops the call says of it. */
function stopsIn({ trace, plan }: TriedCall): readonly JsonObject[] {
  return trace.flatMap(({ order, outcome }): readonly JsonObject[] => {
    if (outcome === null || isFailure(outcome)) return []
    const stop = stopOf(plan.hooks[order]?.id ?? '', outcome)
    return stop === undefined ? [] : [stop]
  })
}

function outcomeOf({ outcome }: Traced): JsonObject {
  if (outcome === null) return { said: 'pass' }
  return isFailure(outcome)
    ? { said: 'failed', why: `${outcome.failure}: ${outcome.message}` }
    : {
        said: outcome.effect,
        why: outcome.reason ?? outcome.notices?.join(' ') ?? '',
        ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
      }
}

/** The shell command as the guards read it. */
function shellOf(tried: TriedCall): readonly string[] | undefined {
  const command = toolOf(tried.event)?.input.command
  if (typeof command !== 'string') return undefined
  const read = analyze(command, { cwd: tried.event.cwd, home: process.env.HOME ?? '/' })
  if (!read.judged) return [`cannot be read: ${read.why}`]
  return read.commands.map((each) => {
    const how = each.via.length === 0 ? '' : ` (through ${each.via.join(' > ')})`
    return `${each.fragment.replaceAll(/\s+/g, ' ')}${how}`
  })
}

function print(tried: TriedCall): void {
  const { decision, plan, trace } = tried
  const out = (text: string) => process.stdout.write(`${redact(text, tried.loaded.maskers)}\n`)
  const tool = toolOf(tried.event)
  out(`${pc.bold(decision.effect)}  ${tool?.name ?? tried.event.kind} ${JSON.stringify(tool?.input ?? {})}`)
  for (const reason of decision.reasons) out(`  ${reason.text}`)
  for (const stop of stopsIn(tried)) out(`\n${stopLines(stop, false).join('\n')}`)
  const commands = shellOf(tried)
  if (commands !== undefined) {
    out(pc.dim('\nthe command, as it was read'))
    for (const command of commands) out(`  ${command}`)
  }
  out(pc.dim(`\nhooks that matched, in order (plan ${plan.revision})`))
  if (trace.length === 0) out('  none: nothing here has an opinion about this event')
  // Dozens of guards have nothing to say about most calls.
  const speaking = trace.filter(
    ({ order, outcome }) => outcome !== null || plan.hooks[order]?.run.type !== 'guard',
  )
  for (const traced of speaking) out(`  ${hookLine(traced, plan.hooks[traced.order])}`)
  const silent = trace.length - speaking.length
  if (silent > 0) out(`  pass   ${silent} guards that had nothing to say (--json lists them)`)
  for (const notice of decision.notices.filter((each) => !HOW_TO_ALLOW.test(each))) {
    out(`${pc.dim('notice')} ${notice}`)
  }
  for (const problem of [...tried.loaded.broken, ...plan.problems])
    out(`${pc.yellow('configuration')} ${problem.message}`)
}

/** Said above, with the stop it is about. */
const HOW_TO_ALLOW = /holdpoint allow \w{4}-\w{4}$/

function hookLine(traced: Traced, hook: Hook | undefined): string {
  const { said, detail } = outcomeOf(traced)
  // What a guard says of a stop has its own lines.
  const more =
    detail === undefined || (isObject(detail) && 'does' in detail)
      ? ''
      : `\n         ${pc.dim(JSON.stringify(detail))}`
  const origin = hook?.origin
  const place =
    origin === undefined ? '' : `${origin.file}${origin.line === undefined ? '' : `:${origin.line}`}`
  return `${String(said).padEnd(6)} ${hook?.id ?? '?'} ${pc.dim(`${traced.durationMs.toFixed(2)} ms, ${hook?.rank ?? ''} ${place}`)}${more}`
}
