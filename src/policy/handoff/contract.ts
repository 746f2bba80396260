import { isObject, type Json, type JsonObject, textAt } from '../../core/json.ts'
import { proseLines } from '../completion/markdown.ts'
import { checkHandoffWords } from './checks.ts'
import { findDirective } from './phrase.ts'
import { isReady } from './ready.ts'

/**
 * The JSON block of a handoff, in a code block of the last message. Only `from`, `to` and `status` are required.
 *
 * @example
 * { "handoff": true, "from": "module-development-agent", "to": "unit-testing-agent", "status": "ready" }
 */
export interface HandoffBlock {
  readonly from: string
  readonly to: string
  /** Free words, such as `ready`, `blocked` or `failed`. */
  readonly status: string
  readonly handoff?: Json
  readonly phase?: Json
  readonly retry_count?: number
  readonly metrics?: JsonObject
  readonly dependencies?: readonly string[]
  readonly on_failure?: string
  readonly timestamp?: string
  readonly context?: Json
}

/** What the last message of an agent says about its handoff. */
export interface Handoff {
  /** The marker `COLLECTIVE_HANDOFF_READY` is there: tests run before the agent may end. */
  readonly ready: boolean
  /** The next agent, and its task. */
  readonly to?: string
  readonly task?: string
  readonly token?: string
  /** Complete blocks only; a block with faults is missing here and named in `faults`. */
  readonly block?: HandoffBlock
  /** What the contract asks for and the message lacks, one sentence each. */
  readonly faults: readonly string[]
}

export interface HandoffCheck {
  /** The name of the agent: some agents need evidence words of their own. */
  readonly agent?: string
  /** The variable `HANDOFF_TOKEN`, where a runner sets it. */
  readonly token?: string
  /** Also accept `ROUTE TO: @agent` and `HANDOFF TO: @agent`. */
  readonly routeForms?: boolean
}

/**
 * Reads a last message as the handoff check does.
 *
 * @example
 * readHandoff('Done, with tests.\n\nUse the unit-testing-agent subagent to test it.\n\nCOLLECTIVE_HANDOFF_READY').to
 * // 'unit-testing-agent'
 */
export function readHandoff(
  text: string,
  { agent = 'the agent', token, routeForms }: HandoffCheck = {},
): Handoff {
  const directive = findDirective(text, routeForms)
  const words = checkHandoffWords(agent, text, { env: { HANDOFF_TOKEN: token } })
  const block = words.faults.some((fault) => fault.startsWith('State contract'))
    ? undefined
    : blockOf(words.blocks)
  const ready = isReady(text)
  const isNone = !ready && directive === undefined
  return {
    ready,
    ...(directive === undefined
      ? {}
      : { to: directive.to, ...(directive.task === '' ? {} : { task: directive.task }) }),
    ...(words.token === undefined ? {} : { token: words.token }),
    ...(block === undefined ? {} : { block }),
    faults: [...(isNone ? [whyNone(text)] : []), ...words.faults],
  }
}

function whyNone(text: string): string {
  const isInCode =
    text.includes('COLLECTIVE_HANDOFF_READY') &&
    !proseLines(text).join('\n').includes('COLLECTIVE_HANDOFF_READY')
  return isInCode
    ? 'Handoff: `COLLECTIVE_HANDOFF_READY` is inside a code block. Write it on a line of its own, outside of code.'
    : 'Handoff: there is none. End with `COLLECTIVE_HANDOFF_READY` on a line of its own, or name the next agent: `Use the NAME subagent to TASK.`'
}

/** The last block counts. */
function blockOf(blocks: readonly string[]): HandoffBlock | undefined {
  const last = blocks.at(-1)
  if (last === undefined) return undefined
  try {
    const value: Json = JSON.parse(last)
    const isWhole =
      isObject(value) && ['from', 'to', 'status'].every((key) => textAt(value, key) !== undefined)
    return isWhole ? (value as unknown as HandoffBlock) : undefined
  } catch {
    return undefined
  }
}
