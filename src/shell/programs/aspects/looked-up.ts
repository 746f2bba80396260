import type { VariableScope } from '../../expand/scope.ts'
import { exactText, type Form, textForm, type Word } from '../../words/words.ts'

/** Where a program lies: the usual folder, and for Holdpoint its own. */
export function lookedUp(word: Word | undefined, { home }: VariableScope): readonly Form[] | undefined {
  const name = exactText(word)
  if (name === undefined || !/^[\w.+-]+$/.test(name)) return word?.forms
  const folder = /^holdpoint(?:-\w+)?$/.test(name) ? `${home}/.config/holdpoint/bin` : '/usr/bin'
  return [textForm(`${folder}/${name}`)]
}
