import type { Finding, Reason } from '../decision.ts'
import { isObject } from '../json.ts'

/**
 * The reasons of the deciding findings. For a call that cannot be read, every guard says that it cannot rule something
 * out, and a dialog with ninety reasons is not read. If there are many, those are only counted. This changes no effect,
 * and `because` still names every hook.
 */
export function reasonsOf(deciding: readonly Finding[]): readonly Reason[] {
  const all = deciding.filter((finding) => finding.reason !== undefined)
  const listed = listedOf(all, isUnsure)
  const reasons = listed.map(reasonOf)
  const last = reasons.at(-1)
  if (last === undefined || listed.length === all.length) return reasons
  const rest = leftOutText(all.length - listed.length)
  const question = last.question === undefined ? {} : { question: `${last.question}\n${rest}` }
  return [...reasons.slice(0, -1), { ...last, text: `${last.text}\n${rest}`, ...question }]
}

/** Above this many, what is only possible is counted instead of listed. */
const LISTED_MAX = 5
/** Of these, if nothing is certain. */
const POSSIBLE_MAX = 3

/**
 * All of them if they are few; otherwise those that are certain.
 *
 * @example
 * listedOf(['a', 'b?', 'c?', 'd?', 'e?', 'f?'], (each) => each.endsWith('?')) // ['a']
 */
export function listedOf<T>(all: readonly T[], isPossible: (each: T) => boolean): readonly T[] {
  if (all.length <= LISTED_MAX) return all
  const certain = all.filter((each) => !isPossible(each))
  return certain.length > 0 ? certain : all.slice(0, POSSIBLE_MAX)
}

export function leftOutText(count: number): string {
  return count === 1
    ? '1 more guard could not check this call.'
    : `${count} more guards could not check this call.`
}

function isUnsure({ detail }: Finding): boolean {
  return detail !== undefined && isObject(detail) && typeof detail.unknown === 'string'
}

function reasonOf({ hook, reason = '', guard, question, ifDenied }: Finding): Reason {
  return {
    hook,
    text: reason,
    ...(guard === undefined ? {} : { guard }),
    ...(question === undefined ? {} : { question }),
    ...(ifDenied === undefined ? {} : { ifDenied }),
  }
}
