import { exactForm, type Form, textPiece } from '../words/words.ts'
import { AUTO_CD, BRACE_CHARACTERS, EXTENDED_PATTERNS } from './scope.ts'
import { type Shell, setVariable } from './state.ts'

/** What zsh, and bash in part, keep in arrays with fixed names: what a word stands for, and what is switched on. */

const ENTRY =
  /^(?:dis_)?(functions|aliases|saliases|commands|galiases|nameddirs|options|BASH_ALIASES|BASH_CMDS)\[["']?([^\]"']+)["']?\]$/

/** Before the name of a word that is replaced wherever it stands. */
export const ANYWHERE = '\0'

/** `functions[ls]`, given a text by whatever gives one: an assignment, `read`, `typeset`, `print -v`, `${…::=…}`. */
export function assignEntry(target: string, forms: readonly Form[], shell: Shell): boolean {
  const [, array = '', name = ''] = ENTRY.exec(target) ?? []
  if (name === '') return false
  if (array === 'nameddirs') setVariable(shell, name, { forms })
  else if (array === 'options') {
    if (forms.some((form) => !/^(?:off|no)$/.test(exactForm(form) ?? ''))) switchOn(name, shell)
  } else {
    const key = array === 'galiases' ? `${ANYWHERE}${name}` : name
    const body = forms.map((form) => (form.length === 0 ? [textPiece('')] : form))
    shell.aliases = new Map([...shell.aliases, [key, body]])
  }
  return true
}

/** `setopt name`, `set -o name`, `options[name]=on`. */
export function switchOn(option: string, shell: Shell): void {
  const mark = OPTIONS.get(option.toLowerCase().replaceAll('_', ''))
  if (mark === 'export') shell.exportsAll = true
  else if (mark !== undefined) setVariable(shell, mark, { forms: [[]] })
}

const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['allexport', 'export'],
  ['autocd', AUTO_CD],
  ['braceccl', BRACE_CHARACTERS],
  ['extendedglob', EXTENDED_PATTERNS],
])
