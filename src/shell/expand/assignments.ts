import type { AssignmentTree, PartTree, WordTree } from '../grammar/tree.ts'
import { concatForms, exactText, textPiece, type Word } from '../words/words.ts'
import { expand, expandWhole } from './expand.ts'
import { type Shell, setVariable, unknownVariable } from './state.ts'
import { assignEntry } from './zsh-names.ts'

/** What assignments leave in the variables of a shell. */

/** What an assignment gives to the variable; the elements of an array are known only to the shell. */
export function assignedValue(assignment: AssignmentTree, shell: Shell): Word {
  if (!('elements' in assignment.value)) return expandWhole(assignment.value, shell)
  const source = assignment.value.elements.map((each) => each.source).join(' ')
  return { source: `(${source})`, forms: [[{ kind: 'unknown', text: `(${source})` }]], splits: false }
}

/** `functions=(name code name code)` */
const PAIRS_MAX = 64

export function assign(tree: AssignmentTree, value: Word | undefined, shell: Shell): void {
  const { name } = tree
  const before = shell.variables.get(name)
  // zsh: `functions[f]='code'` is a function, `commands[x]=/bin/rm` a program, and so on.
  if (tree.index !== undefined && value !== undefined)
    assignEntry(`${name}[${tree.index.source}]`, value.forms, shell)
  if (tree.index !== undefined || value === undefined) setVariable(shell, name, unknownVariable(name))
  else if ('elements' in tree.value) {
    const elements = tree.value.elements.flatMap((each) => expand(each, shell))
    for (let at = 0; at + 1 < elements.length && at < PAIRS_MAX; at += 2) {
      const key = exactText(elements[at])
      if (key !== undefined) assignEntry(`${name}[${key}]`, elements[at + 1]?.forms ?? [], shell)
    }
    const kept = before !== undefined && 'elements' in before ? before.elements : []
    setVariable(shell, name, { elements: tree.append ? [...kept, ...elements] : elements })
  } else if (!tree.append) setVariable(shell, name, { forms: value.forms })
  else if (before !== undefined && 'forms' in before && before.forms.length * value.forms.length <= 8) {
    setVariable(shell, name, {
      forms: before.forms.flatMap((left) => value.forms.map((right) => concatForms(left, right))),
    })
  } else setVariable(shell, name, unknownVariable(name))
}

/** `(( x = 1 ))` may change any variable it names. */
export function forgetAssigned(words: readonly WordTree[], shell: Shell): void {
  for (const word of words) {
    for (const [name] of word.source.matchAll(/[A-Za-z_]\w*/g)) {
      if (shell.variables.has(name)) shell.variables.set(name, unknownVariable(name))
    }
  }
}

/** `${x:=text}` leaves x set. */
export function assignDefault(part: Extract<PartTree, { kind: 'variable' }>, shell: Shell): void {
  const whole = { source: part.source, parts: [{ ...part, quoted: true }] }
  setVariable(shell, part.name, { forms: expandWhole(whole, shell).forms })
}

/** `${functions[ls]::=code}`, `${aliases[x]:=code}`: zsh gives the entry the text. */
export function assignEntryIn({ source }: { readonly source: string }, shell: Shell): void {
  const [, target = '', text = ''] = /^\$\{(\w+\[[^\]]*\])::?=(.*)\}$/s.exec(source) ?? []
  if (target !== '')
    assignEntry(target, [text === '' ? [] : [textPiece(text.replace(/^(["'])(.*)\1$/s, '$2'))]], shell)
}
