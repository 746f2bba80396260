import type { AssignmentTree, PartTree, WordTree } from '../grammar/tree.ts'
import { concatForms, type Word } from '../words/words.ts'
import { expand, expandWhole } from './expand.ts'
import { type Shell, setVariable, unknownVariable } from './state.ts'

/** What assignments leave in the variables of a shell. */

/** What an assignment gives to the variable; the elements of an array are known only to the shell. */
export function assignedValue(assignment: AssignmentTree, shell: Shell): Word {
  if (!('elements' in assignment.value)) return expandWhole(assignment.value, shell)
  const source = assignment.value.elements.map((each) => each.source).join(' ')
  return { source: `(${source})`, forms: [[{ kind: 'unknown', text: `(${source})` }]], splits: false }
}

/** zsh: `functions[f]='code'` is a function, `commands[x]=/bin/rm` a program, and so on. */
const NAMERS = new Set(['functions', 'aliases', 'galiases', 'saliases', 'commands'])

export function assign(tree: AssignmentTree, value: Word | undefined, shell: Shell): void {
  const { name } = tree
  const before = shell.variables.get(name)
  const named = NAMERS.has(name) ? tree.index?.source : undefined
  if (named !== undefined && value !== undefined)
    shell.aliases = new Map([...shell.aliases, [named, value.forms]])
  if (name === 'nameddirs' && named === undefined && tree.index !== undefined && value !== undefined)
    setVariable(shell, tree.index.source, { forms: value.forms })
  if (tree.index !== undefined || value === undefined) setVariable(shell, name, unknownVariable(name))
  else if ('elements' in tree.value) {
    const elements = tree.value.elements.flatMap((each) => expand(each, shell))
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
