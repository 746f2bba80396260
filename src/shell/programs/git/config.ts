import { wordList } from '../../../core/word-list.ts'
import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactForm, exactText, exactWord, type Form } from '../../words/words.ts'
import { CLEAN, FORCE_REF, MIRROR } from './acts.ts'
import { type GitCall, type GitSetting, givenVariables } from './call.ts'
import { isOrdinaryProgram } from './ordinary-program.ts'
import { settingEffects } from './settings.ts'
import { knownPrefix, readVerb, type Verb } from './verb.ts'
import { takesTree } from './work-tree.ts'

/** Settings that make git run something else: for one call, or kept for all. */

/** What `-c`, `--exec-path` and the variables before the command bring in, whatever the verb. */
export function callSettings(call: GitCall, command: SimpleCommand, home: string): readonly ShellEffect[] {
  const place = { cwd: call.cwd, home }
  const programs = call.execPath === undefined ? [] : [{ key: 'core.hookspath', value: call.execPath }]
  const usual = exactText(call.execPath)?.endsWith('/git-core') === true
  const settings = [...call.config, ...(usual ? [] : programs), ...variableSettings(command)]
  return settings.length === 0 ? [] : settingEffects(settings, 'once', place)
}

/** Variables that mean the same as a setting. */
const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['GIT_SSH_COMMAND', 'core.sshcommand'],
  ['GIT_SSH', 'core.sshcommand'],
  ['GIT_PAGER', 'core.pager'],
  ['GIT_EDITOR', 'core.editor'],
  ['GIT_SEQUENCE_EDITOR', 'sequence.editor'],
  ['GIT_ASKPASS', 'core.askpass'],
  ['GIT_EXTERNAL_DIFF', 'diff.external'],
  ['GIT_PROXY_COMMAND', 'core.gitproxy'],
  ['GIT_EXEC_PATH', 'core.hookspath'],
  ['GIT_TEMPLATE_DIR', 'init.templatedir'],
  ['GIT_CONFIG_GLOBAL', 'include.path'],
  ['GIT_CONFIG_SYSTEM', 'include.path'],
  // Settings in a form that only git itself writes.
  ['GIT_CONFIG_PARAMETERS', ''],
])

export function variableSettings(command: SimpleCommand): readonly GitSetting[] {
  const assignments = givenVariables(command)
  return assignments.flatMap(({ name, value }) => {
    const key = VARIABLES.get(name)
    if (key !== undefined) return [{ key, value }]
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1]
    if (number === undefined) return []
    const given = assignments.findLast((other) => other.name === `GIT_CONFIG_VALUE_${number}`)
    return [{ key: exactText(value)?.toLowerCase() ?? '', value: given?.value ?? exactWord('') }]
  })
}

/** The options of `git config`. */
export const CONFIG_OPTIONS = `
  f|file= blob= type= t= default= comment= value= url= global system local worktree add replace-all all append
  get get-all get-regexp get-urlmatch unset unset-all rename-section remove-section l|list e|edit get-color
  get-colorbool fixed-value bool int path z|null name-only show-origin show-scope includes
`
const READS = wordList(`
  get get-all get-regexp get-urlmatch get-color get-colorbool list edit unset unset-all rename-section
  remove-section
`)
const ACTIONS = new Set(['list', 'get', 'unset', 'rename-section', 'remove-section', 'edit'])

export const gitConfig: Verb = ({ args, cwd, home }) => {
  const read = readVerb(args, CONFIG_OPTIONS)
  if (read.help || read.surely(...READS)) return []
  const words = exactText(read.operands[0]) === 'set' ? read.operands.slice(1) : read.operands
  const [key, value] = words
  if (key === undefined || value === undefined || ACTIONS.has(exactText(key) ?? '')) return []
  return keptEffects(
    key.forms.map((form) => ({ key: keyOf(form), value })),
    { cwd, home },
  )
}

/** What settings do that are kept, in this repository or in one that is made: `clone -c key=value`. */
export function keptEffects(
  settings: readonly GitSetting[],
  place: { readonly cwd: string | undefined; readonly home: string },
): readonly ShellEffect[] {
  const trees = settings
    .filter(({ key }) => key === 'core.worktree')
    .flatMap(({ value }) => takesTree(value, place.cwd, place.home))
  return [...settingEffects(settings, 'kept', place), ...forcedLater(settings), ...trees]
}

/** Settings that make a later command destroy without an option that says so. */
function forcedLater(settings: readonly GitSetting[]): readonly ShellEffect[] {
  return settings.flatMap(({ key, value }): readonly ShellEffect[] => {
    const text = exactText(value)
    const isOn = text === undefined || !/^(?:false|no|off|0|)$/i.test(text)
    if (/^remote\..*\.push$/.test(key) && (text ?? value.source).startsWith('+')) return [FORCE_REF]
    if (/^remote\..*\.mirror$/.test(key) && isOn) return [MIRROR]
    return key === 'clean.requireforce' && !isOn ? [CLEAN] : []
  })
}

const NO_PROGRAM =
  /^(user|author|committer|color|branch|push|pull|fetch|rebase|advice|url|http|log|status|alias)\./i

/** A key of which only the section is known is as good as known where no key of the section runs anything. */
function keyOf(form: Form): string {
  const text = exactForm(form) ?? (NO_PROGRAM.test(knownPrefix(form)) ? knownPrefix(form) : '')
  return text.toLowerCase()
}

const OPENERS = 'O|open-files-in-pager=? x|extcmd= t|tool= e= f= n|line-number'

/** `git grep -O…` and `git difftool -x …` open what they find in a program. */
export const opener: Verb = ({ args, cwd, home }) => {
  const programs = valuesOf(readOptions(args, OPENERS), 'open-files-in-pager', 'extcmd')
  const odd = programs.filter((word) => !word.forms.every((form) => isOrdinaryProgram(form, 'program')))
  return settingEffects(
    odd.map((value) => ({ key: 'core.pager', value })),
    'once',
    { cwd, home },
  )
}
