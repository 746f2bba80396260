import type { Decision, Effect, Reply } from '../../core/decision.ts'
import { describeProblem, type Problem } from '../../core/errors.ts'
import { type Event, toolOf } from '../../core/event.ts'
import type { LastResort } from '../../core/host.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { isTooDeep, readableJson } from '../strict-json.ts'
import { CODEX_EVENTS, type CodexEvent, INTERRUPT } from './abilities.ts'

/**
 * A fitted decision in the format that Codex accepts. Anything else makes it drop the whole answer and run the tool, so
 * only fields of its schema are sent: no opinion means no output, every block has a non-empty reason, and the text is
 * JSON that its parser accepts completely.
 */
export function encode(decision: Decision, event: Event): Reply {
  const can = event.kind === 'Unknown' ? undefined : CODEX_EVENTS[event.kind]
  if (can === undefined) return say({}, decision.notices, event.name === INTERRUPT)
  if (event.name !== event.kind) return encodeByExit(decision, can)
  switch (can.denyBy) {
    case 'permission':
      return encodeCall(decision, event, can)
    case 'behavior':
      return encodePermission(decision, event, can)
    default:
      return encodeOther(decision, event, can)
  }
}

/** No decision could be made: block by exit code with plain text, or continue and say why on standard error. */
export function refuse(problem: Problem, lastResort: LastResort): Reply {
  const text = `holdpoint: this could not be judged. ${describeProblem(problem)}`
  if (lastResort.effect === 'pass') return { stdout: '', stderr: `${text}\n`, exitCode: 0 }
  const advice = 'It was blocked to be safe. Tell the user; do not try to work around this.'
  return { stdout: '', stderr: `${text} ${advice}\n`, exitCode: 2 }
}

type Body = { readonly [key: string]: Json }

/** A rewrite at this point was granted, and Codex takes a new input only with `allow`; nothing else sends allow. */
function encodeCall(decision: Decision, event: Event, can: CodexEvent): Reply {
  const { rewrite } = decision
  const refusal = refusalOf(decision, can, ['deny', 'ask']) ?? unsayable(rewrite, event)
  const permission: Body =
    refusal !== undefined
      ? { permissionDecision: 'deny', permissionDecisionReason: refusal }
      : rewrite === undefined
        ? {}
        : { permissionDecision: 'allow', updatedInput: rewrite }
  return say(specific(event, { ...permission, ...contextOf(decision) }), decision.notices, can.notice)
}

function encodePermission(decision: Decision, event: Event, can: CodexEvent): Reply {
  const refusal = refusalOf(decision, can, ['deny'])
  const answer: Body | undefined =
    refusal !== undefined
      ? { behavior: 'deny', message: refusal }
      : decision.effect === 'allow'
        ? { behavior: 'allow' }
        : undefined
  return say(specific(event, answer === undefined ? {} : { decision: answer }), decision.notices, can.notice)
}

function encodeOther(decision: Decision, event: Event, can: CodexEvent): Reply {
  const { halt } = decision
  const refusal = can.denyBy === undefined ? undefined : refusalOf(decision, can, ['deny'])
  const body = {
    ...(halt === undefined || can.haltBy !== 'continue' ? {} : { continue: false, stopReason: worded(halt) }),
    ...(refusal === undefined ? {} : { decision: 'block', reason: refusal }),
    ...(can.context ? specific(event, contextOf(decision)) : {}),
  }
  const told = halt === undefined || can.haltBy !== undefined ? [] : [`To be ended here: ${worded(halt)}`]
  return say(body, [...decision.notices, ...told], can.notice)
}

/** If only a deny can end the work, a request to end it becomes a deny. */
function refusalOf(decision: Decision, can: CodexEvent, stopping: readonly Effect[]): string | undefined {
  const { effect, halt } = decision
  const said = [
    ...(stopping.includes(effect) ? [reasonOf(decision)] : []),
    ...(halt !== undefined && can.haltBy === 'deny' ? [worded(halt)] : []),
  ]
  return said.length === 0 ? undefined : said.join('\n')
}

/** Why Codex would drop this new input, and run the old one. */
function unsayable(rewrite: JsonObject | undefined, event: Event): string | undefined {
  if (rewrite === undefined) return undefined
  const needsCommand = NEED_COMMAND.has(toolOf(event)?.name ?? '')
  if (needsCommand && typeof rewrite.command !== 'string') {
    return `${ONLY_CHANGED} the change has no \`command\`.`
  }
  if (!isTooDeep(rewrite)) return undefined
  return `${ONLY_CHANGED} the change is nested too deeply to be passed on.`
}

const ONLY_CHANGED = 'Tell the user: this call may only run with a changed input, and'
const NEED_COMMAND = new Set(['Bash', 'apply_patch'])

function contextOf(decision: Decision): Body {
  const texts = decision.context.filter((each) => each.to === 'self').map((each) => each.text)
  return texts.length === 0 ? {} : { additionalContext: texts.join('\n\n') }
}

function specific(event: Event, fields: Body): Body {
  if (Object.keys(fields).length === 0) return {}
  return { hookSpecificOutput: { hookEventName: event.kind, ...fields } }
}

/** Exit 2 and plain text: the only answer at an unknown event, so a call that must be changed is blocked too. */
function encodeByExit(decision: Decision, can: CodexEvent): Reply {
  const changed = decision.rewrite === undefined ? undefined : `${ONLY_CHANGED} this event takes no change.`
  const refusal = refusalOf(decision, can, ['deny', 'ask']) ?? changed
  if (refusal === undefined) return say({}, decision.notices, false)
  return { stdout: '', stderr: `${refusal}\n`, exitCode: 2 }
}

function reasonOf(decision: Decision): string {
  const text = decision.reasons.map((reason) => reason.text).join('\n')
  return text.trim() === '' ? `Stopped by Holdpoint (${decision.because.join(', ')}).` : text
}

function worded(halt: string): string {
  return halt.trim() === '' ? 'Ended by Holdpoint.' : halt
}

function say(body: Body, notices: readonly string[], canNotice: boolean): Reply {
  const text = notices.join('\n').slice(0, NOTICES_MAX)
  const whole = canNotice && text !== '' ? { ...body, systemMessage: text } : body
  const stdout = Object.keys(whole).length === 0 ? '' : `${readableJson(whole)}\n`
  return { stdout, stderr: canNotice || text === '' ? '' : `${text}\n`, exitCode: 0 }
}

const NOTICES_MAX = 4_000
