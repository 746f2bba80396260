import type { AskedQuestion } from '../core/approval.ts'
import { toolOf } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { type Masker, redact } from '../core/redact/redact.ts'
import { sha256 } from '../system/sha256.ts'
import { recordedInput } from './record.ts'

/** A call as it is put to a person. */
export interface AskedCall {
  readonly session: string
  /** What is shown, as JSON text: exactly this is signed. Secrets are masked. */
  readonly text: string
}

/** Long enough for every command that a person would read. A longer one is shortened, and the text says so. */
const INPUT_MAX = 20_000
const REASON_MAX = 2_000

/**
 * The call and why it is asked. `input` may be masked or shortened, so that two calls look alike: the digest of the whole
 * input tells them apart, for an approval that holds for a session.
 */
export function askedCall(
  { event, actor, decision }: AskedQuestion,
  project: string,
  maskers: readonly Masker[],
): AskedCall {
  const tool = toolOf(event)
  const input = recordedInput(event, maskers, INPUT_MAX)
  const whole = JSON.stringify([event.kind, tool?.name ?? '', tool?.input ?? input ?? ''])
  const shown: JsonObject = {
    host: event.host,
    event: event.kind,
    session: event.session,
    ...(event.agentId === undefined ? {} : { agent: event.agentId }),
    ...(actor.agentType === undefined ? {} : { agentType: actor.agentType }),
    ...(tool === undefined ? {} : { tool: tool.name }),
    ...(input === undefined ? {} : { input }),
    cwd: event.cwd,
    project,
    reasons: decision.reasons.map(({ hook, guard, text, question }) => ({
      by: guard ?? hook,
      text: redact(question ?? text, maskers).slice(0, REASON_MAX),
    })),
    // The session is part of it, so that it tells nothing about the same input elsewhere.
    digest: sha256(`${event.session}\n${event.agentId ?? ''}\n${event.cwd}\n${whole}`),
  }
  return { session: event.session, text: JSON.stringify(shown) }
}
