import type { Certainty } from '../../arguments/verbs.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactForm, type Word } from '../../words/words.ts'

export const DELETE_CLOUD: ActEffect = {
  kind: 'data-destroy',
  act: 'cloud/delete',
  what: 'deletes something in a cloud account for good',
}
export const DELETE_OBJECT: ActEffect = {
  kind: 'data-destroy',
  act: 'cloud/delete-object',
  what: 'deletes stored objects in a cloud account',
}
export const ACCESS: ActEffect = {
  kind: 'privilege',
  act: 'cloud/access',
  what: 'changes who may use a cloud account, or makes something in it public',
}

export function unsure(act: ActEffect): ActEffect {
  return { ...act, unsure: 'what it does is known only at run time' }
}

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
