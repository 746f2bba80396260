import type { Facts } from '../../core/facts.ts'
import { shapeFaults } from '../completion/json-shape.ts'

export interface HandoffWords {
  readonly token?: string
  /** The texts of the handoff blocks. */
  readonly blocks: readonly string[]
  readonly faults: readonly string[]
}

/** Checks the token, the output and the state contract of a handoff, in this order. They only warn. */
export function checkHandoffWords(
  agent: string,
  text: string | undefined,
  { env }: Pick<Facts, 'env'>,
): HandoffWords {
  if (text === undefined) {
    return { blocks: [], faults: [`${agent} ended without any text, so its handoff cannot be checked.`] }
  }
  const token = tokenIn(text, env.HANDOFF_TOKEN)
  const blocks = blocksIn(text)
  const faults = [...tokenFaults(token), ...outputFaults(agent, text), ...contractFaults(text, blocks)]
  return { ...(token === undefined ? {} : { token }), blocks, faults }
}

const TOKEN = /\b[A-Z][A-Z0-9_]{0,80}_\d{8}_\d{6}\b/
const NAMED_TOKEN = /\bHANDOFF_TOKEN\s*[:=]\s*["'`]?([^\s"'`]{1,120})/

function tokenIn(text: string, given: string | undefined): string | undefined {
  const named = NAMED_TOKEN.exec(text)?.[1] ?? (given === '' ? undefined : given)
  return named ?? TOKEN.exec(text)?.[0]
}

function tokenFaults(token: string | undefined): readonly string[] {
  if (token === undefined) {
    return [
      'Handoff token: there is none. Write a line such as `HANDOFF_TOKEN: UNIT_TESTS_20260115_120000`, a name with the date and time of the handoff.',
    ]
  }
  return new RegExp(`^${TOKEN.source}$`).test(token)
    ? []
    : [`Handoff token: ${JSON.stringify(token.slice(0, 60))} does not have the form NAME_20260115_120000.`]
}

const DONE =
  /\b(?:complete|completed|completion|done|finished|implemented|delivered|successful|successfully|passed)\b/i
const EVIDENCE: readonly (readonly [agent: RegExp, words: RegExp])[] = [
  [
    /research/i,
    /\b(?:research|source|sources|documentation|found|findings|reference|references|evidence)\b/i,
  ],
  [
    /develop|implement|migration|theme|module/i,
    /\b(?:test|tests|file|files|created|added|changed|implemented)\b/i,
  ],
  [/test|validation|regression/i, /\b(?:test|tests|passed|failed|coverage|suite)\b/i],
]
const LINES_ENOUGH = 2
const SCORE_ENOUGH = 2

/**
 * Three points: it says that something is done, it gives the evidence that this kind of work needs, and it is longer
 * than one line.
 */
function outputFaults(agent: string, text: string): readonly string[] {
  const evidence = EVIDENCE.find(([kind]) => kind.test(agent))?.[1]
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  const score = [
    DONE.test(text),
    evidence === undefined || evidence.test(text),
    lines >= LINES_ENOUGH,
  ].filter(Boolean).length
  return score >= SCORE_ENOUGH
    ? []
    : [`Agent output: ${score} of 3 points. It does not say clearly what was done.`]
}

const FILES = /\b[\w./-]{1,200}\.[a-z]{1,5}\b/i
const NEXT = /\b(?:next steps?|next agent|remaining|to do|follow-up|handoff|hand over)\b/i
/** The fields that a handoff written as JSON must have. */
const HANDOFF_SHAPE = { from: 'string', to: 'string', status: 'string' } as const
/** A block that is cut off counts too: then it is no JSON, and that is said. */
const BLOCK = /```(?:json)?[^\S\n]*\n\s*(\{[^`]*)(?:```|$)/g

function blocksIn(text: string): readonly string[] {
  return [...text.matchAll(BLOCK)]
    .map(([, json = '']) => json)
    .filter((json) => /"(?:handoff|phase|retry_count|on_failure)"\s*:/.test(json))
}

function contractFaults(text: string, blocks: readonly string[]): readonly string[] {
  const faults = blocks.flatMap((json) => shapeFaults(json, HANDOFF_SHAPE))
  if (blocks.length > 0) return faults.map((fault) => `State contract: the handoff block ${fault}.`)
  return DONE.test(text) || FILES.test(text) || NEXT.test(text)
    ? []
    : ['State contract: it names no result, no file and no next step.']
}
