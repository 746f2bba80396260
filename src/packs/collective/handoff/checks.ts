import { shapeFaults } from '../../../contracts/json-shape.ts'
import type { Facts } from '../../../facts.ts'

/** Token, output and state contract of a handoff, in this order. They warn and never hold. */
export function checkWords(agent: string, text: string | undefined, { env }: Facts): readonly string[] {
  if (text === undefined) return [`${agent} ended without any text, so its handoff cannot be checked.`]
  return [...tokenFaults(text, env.HANDOFF_TOKEN), ...outputFaults(agent, text), ...contractFaults(text)]
}

const TOKEN = /\b[A-Z][A-Z0-9_]{0,80}_\d{8}_\d{6}\b/
const NAMED_TOKEN = /\bHANDOFF_TOKEN\s*[:=]\s*["'`]?([^\s"'`]{1,120})/

function tokenFaults(text: string, given: string | undefined): readonly string[] {
  const named = NAMED_TOKEN.exec(text)?.[1] ?? (given === '' ? undefined : given)
  const token = named ?? TOKEN.exec(text)?.[0]
  if (token === undefined) return ['Handoff token: none.']
  return new RegExp(`^${TOKEN.source}$`).test(token)
    ? []
    : [`Handoff token: ${JSON.stringify(token.slice(0, 60))} is not like NAME_20260115_120000.`]
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

/** Three points: it says that something is done, with the evidence its kind of work has, in more than a line. */
function outputFaults(agent: string, text: string): readonly string[] {
  const evidence = EVIDENCE.find(([kind]) => kind.test(agent))?.[1]
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  const score = [
    DONE.test(text),
    evidence === undefined || evidence.test(text),
    lines >= LINES_ENOUGH,
  ].filter(Boolean).length
  return score >= SCORE_ENOUGH ? [] : [`Agent output: ${score} of 3 points; it hardly says what was done.`]
}

const FILES = /\b[\w./-]{1,200}\.[a-z]{1,5}\b/i
const NEXT = /\b(?:next steps?|next agent|remaining|to do|follow-up|handoff|hand over)\b/i
/** What a handoff that is written as JSON has to hold. */
const HANDOFF_SHAPE = { from: 'string', to: 'string', status: 'string' } as const
const BLOCK = /```(?:json)?\s*\n(\{[^`]*\})\s*\n```/g

function contractFaults(text: string): readonly string[] {
  const blocks = [...text.matchAll(BLOCK)]
    .map(([, json = '']) => json)
    .filter((json) => /"(?:handoff|phase|retry_count|on_failure)"\s*:/.test(json))
  const faults = blocks.flatMap((json) => shapeFaults(json, HANDOFF_SHAPE))
  if (blocks.length > 0) return faults.map((fault) => `State contract: the handoff block ${fault}.`)
  return DONE.test(text) || FILES.test(text) || NEXT.test(text)
    ? []
    : ['State contract: it names no result, no file and no next step.']
}
