import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import type { PendingQuestion } from '../../daemon/approvals/board-link.ts'
import { cell, own, wrapped } from './cells.ts'
import type { TopModel } from './model.ts'
import type { ScreenRow } from './row.ts'

const QUESTION_LINES = 3
/** The head, the keys, the rule, and one line of the view. */
const AROUND_QUESTION = 6

/** The call that waits longest, and how many more there are. Whole, while it is answered. */
export function questionRows(
  { questions, nowMs, answers, mayAnswer, typing }: TopModel,
  columns: number,
): readonly ScreenRow[] {
  const [first] = questions
  if (first === undefined) return []
  const call = callIn(first)
  const left = Math.max(0, Math.ceil((first.untilMs - nowMs) / 1_000))
  const more = questions.length === 1 ? '' : `, and ${questions.length - 1} more`
  const { what, why } = questionLines(first, columns)
  const max = typing?.answer === undefined ? QUESTION_LINES : Number.POSITIVE_INFINITY
  const hidden = Math.max(0, what.length - max)
  return [
    {
      cells: [
        own(` WAITS FOR YOU ${left} s${more} `, 'inverse'),
        cell(` ${textAt(call, 'host') ?? ''} in ${textAt(call, 'cwd') ?? ''}`, 'dim'),
      ],
    },
    ...what.slice(0, max).map((line) => ({ cells: [own('  '), cell(line, 'ask')] })),
    ...(hidden === 0 ? [] : [{ cells: [own(`  … ${hidden} more lines`, 'bold')] }]),
    ...why.slice(0, max).map((line) => ({ cells: [own('  '), cell(line)] })),
    ...(mayAnswer ? [] : [{ cells: [own('  '), cell(answers, 'dim')] }]),
  ]
}

function questionLines(question: PendingQuestion, columns: number) {
  const call = callIn(question)
  return {
    what: wrapped(`${textAt(call, 'tool') ?? ''} ${textAt(call, 'input') ?? ''}`, columns - 2),
    why: reasonsIn(call).flatMap((text) => wrapped(text, columns - 2)),
  }
}

/** Whether the whole question can be seen at once. What cannot be seen must not be approved. */
export function canSeeQuestion(
  { questions: [first] }: TopModel,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): boolean {
  if (first === undefined) return false
  const { what, why } = questionLines(first, columns)
  return what.length + why.length + AROUND_QUESTION <= rows
}

function callIn({ call }: PendingQuestion): JsonObject {
  try {
    const value: unknown = JSON.parse(call)
    return isObject(value) ? value : {}
  } catch {
    return { input: call }
  }
}

function reasonsIn({ reasons }: JsonObject): readonly string[] {
  return Array.isArray(reasons)
    ? reasons.flatMap((each) => (isObject(each) ? (textAt(each, 'text') ?? []) : []))
    : []
}
