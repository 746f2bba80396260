import pc from 'picocolors'
import { isFailure } from '../decision.ts'
import { HoldpointError } from '../errors.ts'
import { toolOf } from '../event.ts'
import type { Hook } from '../hook.ts'
import { openJournal } from '../journal.ts'
import type { JsonObject } from '../json.ts'
import type { Traced } from '../runtime.ts'
import { analyze } from '../shell/commands.ts'
import { homeLayout } from '../world/home.ts'
import { type CallOptions, type TriedCall, tryCall } from './call.ts'

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
    const rows = Object.entries({ ...record, seq, hash })
    for (const [key, value] of rows) {
      process.stdout.write(
        `${pc.dim(key.padEnd(10))} ${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
      )
    }
  } finally {
    store.close()
  }
}

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
    shell: shellOf(tried) ?? null,
    revision: plan.revision,
    problems: [...tried.loaded.broken, ...plan.problems],
  }
  return JSON.parse(JSON.stringify(value)) as JsonObject
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
  const out = (text: string) => process.stdout.write(`${text}\n`)
  const tool = toolOf(tried.event)
  out(`${pc.bold(decision.effect)}  ${tool?.name ?? tried.event.kind} ${JSON.stringify(tool?.input ?? {})}`)
  for (const reason of decision.reasons) out(`  ${reason.text}`)
  const commands = shellOf(tried)
  if (commands !== undefined) {
    out(pc.dim('\nthe command, as it was read'))
    for (const command of commands) out(`  ${command}`)
  }
  out(pc.dim(`\nhooks that matched, in order (plan ${plan.revision})`))
  if (trace.length === 0) out('  none: nothing here has an opinion about this event')
  for (const traced of trace) out(`  ${hookLine(traced, plan.hooks[traced.order])}`)
  for (const notice of decision.notices) out(`${pc.dim('notice')} ${notice}`)
  for (const problem of [...tried.loaded.broken, ...plan.problems])
    out(`${pc.yellow('configuration')} ${problem.message}`)
}

function hookLine(traced: Traced, hook: Hook | undefined): string {
  const { said, detail } = outcomeOf(traced)
  const origin = hook?.origin
  const place =
    origin === undefined ? '' : `${origin.file}${origin.line === undefined ? '' : `:${origin.line}`}`
  return `${String(said).padEnd(6)} ${hook?.id ?? '?'} ${pc.dim(`${traced.durationMs.toFixed(2)} ms, ${hook?.rank ?? ''} ${place}`)}${detail === undefined ? '' : `\n         ${pc.dim(JSON.stringify(detail))}`}`
}
