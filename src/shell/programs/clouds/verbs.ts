import type { Certainty } from '../../arguments/verbs.ts'
import { exactForm, type Word } from '../../words/words.ts'

/** Does the word begin like one of these verbs? What is written of it may be enough: `delete-$KIND`. */
export function isVerb(word: Word | undefined, pattern: RegExp): Certainty {
  if (word === undefined) return 'no'
  let result: Certainty = 'no'
  for (const form of word.forms) {
    const [first] = form
    const known = exactForm(form) ?? (first?.kind === 'text' ? first.text : '')
    if (pattern.test(known)) return 'yes'
    if (exactForm(form) === undefined && !known.includes('-')) result = 'maybe'
  }
  return result
}
