import type { TracedRun } from '../../app/decide-event.ts'
import { stopOf } from '../../app/record.ts'
import { isFailure } from '../../core/decision.ts'
import { toolOf } from '../../core/event.ts'
import type { JsonObject } from '../../core/json.ts'
import { redactJson } from '../../core/redact/redact.ts'
import { readCommands } from '../../shell/walk/read-commands.ts'
import type { TriedCall } from './call.ts'

/** Everything about the decision of a tried call as one JSON object, with secrets masked. */
export function explainedCall(tried: TriedCall): JsonObject {
  const { decision, event, plan } = tried
  const { findings: _findings, ...rest } = decision
  const hooks = tried.trace.map((traced) => {
    const hook = plan.hooks[traced.hookIndex]
    return {
      hook: hook?.id ?? '',
      origin: hook?.origin ?? null,
      ...explainedOutcome(traced),
      durationMs: traced.durationMs,
    }
  })
  const value = {
    event: { kind: event.kind, tool: toolOf(event) ?? null, cwd: event.cwd },
    actor: tried.actor,
    decision: rest,
    hooks,
    stops: stopsIn(tried),
    shell: shellLinesOf(tried) ?? null,
    addedPacks: tried.addedPacks,
    revision: plan.revision,
    problems: [...tried.loaded.broken, ...plan.problems],
  }
  return redactJson(JSON.parse(JSON.stringify(value)) as JsonObject, tried.loaded.maskers) as JsonObject
}

/** What each guard that stops the call reports about it. */
export function stopsIn({ trace, plan }: TriedCall): readonly JsonObject[] {
  return trace.flatMap(({ hookIndex, outcome }): readonly JsonObject[] => {
    if (outcome === null || isFailure(outcome)) return []
    const stop = stopOf(plan.hooks[hookIndex]?.id ?? '', outcome)
    return stop === undefined ? [] : [stop]
  })
}

export function explainedOutcome({ outcome }: TracedRun): JsonObject {
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
export function shellLinesOf(tried: TriedCall): readonly string[] | undefined {
  const command = toolOf(tried.event)?.input.command
  if (typeof command !== 'string') return undefined
  const read = readCommands(command, { cwd: tried.event.cwd, home: tried.userHome })
  if (!read.judged) return [`cannot be read: ${read.why}`]
  return read.commands.map((each) => {
    const how = each.via.length === 0 ? '' : ` (through ${each.via.join(' > ')})`
    return `${each.fragment.replaceAll(/\s+/g, ' ')}${how}`
  })
}
