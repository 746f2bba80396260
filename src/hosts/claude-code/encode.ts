import type { Decision, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import { type Event, type EventKind, toolOf } from '../../core/event.ts'
import type { LastResort } from '../../core/host.ts'
import { isObject, type Json } from '../../core/json.ts'
import { CLAUDE_EVENTS, type ClaudeEvent } from './abilities.ts'

/**
 * A fitted decision in the format that Claude Code was observed to obey. A deny is JSON with exit code 0, so that the
 * model reads a clean reason. `allow` is only sent if granted. `continue: false` is never used for a block (the tool
 * would run). A rewrite has no permissionDecision, so that the normal permission rules still apply.
 */
export function encode(decision: Decision, event: Event): Reply {
  const can = event.kind === 'Unknown' ? undefined : CLAUDE_EVENTS[event.kind]
  if (can === undefined) return withNotices({}, decision.notices)
  if (event.name !== event.kind) return encodeByExit(decision)
  if (can.denyBy === 'exit')
    return event.kind === 'WorktreeCreate' ? worktree(decision) : encodeByExit(decision)
  if (isSilent(decision)) return SILENCE
  const specific = { ...permission(decision, event.kind, can), ...additions(decision, event, can) }
  const body = {
    ...halting(decision),
    ...(can.denyBy === 'decision' && decision.effect === 'deny'
      ? { decision: 'block', reason: reasonOf(decision) }
      : {}),
    ...(Object.keys(specific).length === 0
      ? {}
      : { hookSpecificOutput: { hookEventName: event.kind, ...specific } }),
  }
  return withNotices(body, noticesOf(decision, event))
}

/** Most decisions: nothing to say, and nothing to change. */
function isSilent({ effect, notices, context, rewrite, output, halt }: Decision): boolean {
  return (
    effect === 'pass' &&
    notices.length === 0 &&
    context.length === 0 &&
    rewrite === undefined &&
    output === undefined &&
    halt === undefined
  )
}

const SILENCE: Reply = { stdout: '{}\n', stderr: '', exitCode: 0 }

/** No decision could be made: block by exit code with plain text, or continue and notify the user. */
export function refuse(problem: Problem, lastResort: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  if (lastResort.effect === 'deny') {
    return {
      stdout: '',
      stderr: `${text} It was blocked to be safe. Tell the user; do not try to work around this.\n`,
      exitCode: 2,
    }
  }
  // Any output of a WorktreeCreate hook is read as the path of the worktree.
  if (lastResort.kind === 'WorktreeCreate') return { stdout: '', stderr: `${text}\n`, exitCode: 0 }
  return { stdout: `${JSON.stringify({ systemMessage: text })}\n`, stderr: `${text}\n`, exitCode: 0 }
}

type Body = { readonly [key: string]: Json }

function permission(decision: Decision, kind: EventKind, can: ClaudeEvent): Body {
  if (can.denyBy === 'behavior') {
    if (decision.effect === 'deny') return { decision: { behavior: 'deny', message: reasonOf(decision) } }
    if (decision.effect !== 'allow') return {}
    return { decision: { behavior: 'allow', ...updatedInput(decision) } }
  }
  if (can.denyBy !== 'permission') return {}
  const spoken =
    decision.effect === 'pass'
      ? {}
      : { permissionDecision: decision.effect, permissionDecisionReason: reasonOf(decision) }
  return kind === 'PreToolUse' ? { ...spoken, ...updatedInput(decision) } : spoken
}

function additions(decision: Decision, event: Event, can: ClaudeEvent): Body {
  const context = decision.context.filter((each) => each.to === 'self').map((each) => each.text)
  return {
    ...(can.context && context.length > 0 ? { additionalContext: context.join('\n\n') } : {}),
    ...(can.output && decision.output !== undefined
      ? { updatedToolOutput: inShape(decision.output, event) }
      : {}),
  }
}

/**
 * Claude Code silently ignores an output that does not have the shape of the tool's own (observed in 2.1.325). So a text
 * for the output of a shell replaces both of its streams.
 */
function inShape(output: Json, event: Event): Json {
  const original = event.kind === 'PostToolUse' ? event.output : null
  if (typeof output !== 'string' || !isObject(original) || typeof original.stdout !== 'string') return output
  return { ...original, stdout: output, stderr: '' }
}

/** Any other text would be ignored, so the user is told. */
function notTaken({ output }: Decision, event: Event): readonly string[] {
  if (event.kind !== 'PostToolUse' || typeof output !== 'string') return []
  if (!isObject(event.output) || typeof event.output.stdout === 'string') return []
  return [
    `The output of ${event.tool.name} was not replaced: a new one must have the shape of the tool's own.`,
  ]
}

function updatedInput(decision: Decision): Body {
  return decision.rewrite === undefined ? {} : { updatedInput: decision.rewrite }
}

function halting(decision: Decision): Body {
  return decision.halt === undefined ? {} : { continue: false, stopReason: decision.halt }
}

/** Exit 2 and plain text: works at every event that can be blocked, known or not. */
function encodeByExit(decision: Decision): Reply {
  if (decision.effect !== 'deny' && decision.effect !== 'ask') return withNotices({}, decision.notices)
  return { stdout: '', stderr: `${reasonOf(decision)}\n`, exitCode: 2 }
}

/** Everything a WorktreeCreate hook prints is read as a path, so a pass prints nothing. */
function worktree(decision: Decision): Reply {
  return decision.effect === 'deny' ? encodeByExit(decision) : { stdout: '', stderr: '', exitCode: 0 }
}

function reasonOf(decision: Decision): string {
  // Claude Code shows the reason of an `ask` to the person in its dialog, and that of a deny to the model.
  const isAsk = decision.effect === 'ask'
  const text = decision.reasons
    .map((reason) => (isAsk ? reason.question : undefined) ?? reason.text)
    .join('\n')
  const did = decision.effect === 'allow' ? 'Granted' : 'Stopped'
  return text === '' ? `${did} by Holdpoint (${decision.because.join(', ')}).` : text
}

/** A deny is also shown to the user, who would otherwise only see the model change its plan. */
function noticesOf(decision: Decision, event: Event): readonly string[] {
  const notices = [...decision.notices, ...notTaken(decision, event)]
  if (decision.effect !== 'deny') return notices
  const what = toolOf(event)?.name ?? event.kind
  const who = decision.reasons.map((reason) => reason.guard ?? reason.hook).join(', ')
  return [`Holdpoint denied ${what} [${who}]: ${firstWords(reasonOf(decision))}`, ...notices]
}

/** The complete reason is in the reply already; the user only needs the subject. */
function firstWords(text: string): string {
  const line = text.split('\n')[0] ?? ''
  return line.length > NOTICE_MAX ? `${line.slice(0, NOTICE_MAX)}…` : line
}

const NOTICE_MAX = 200

function withNotices(body: Body, notices: readonly string[]): Reply {
  const systemMessage = notices.join('\n').slice(0, SYSTEM_MESSAGE_MAX)
  const whole = systemMessage === '' ? body : { ...body, systemMessage }
  return { stdout: `${JSON.stringify(whole)}\n`, stderr: '', exitCode: 0 }
}

/** The host moves longer texts into a file, and a notice should be visible at once. */
const SYSTEM_MESSAGE_MAX = 4_000
