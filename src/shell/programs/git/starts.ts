import { type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { resolvePath } from '../../words/paths.ts'
import {
  concatForms,
  exactForm,
  exactText,
  exactWord,
  type Form,
  joinWords,
  textPiece,
  type Word,
} from '../../words/words.ts'
import { BUILT_IN, EXECUTED_SETTINGS } from './built-in.ts'
import { givenVariables, readGitOptions } from './call.ts'
import { CONFIG_OPTIONS } from './config.ts'
import { aliasIn, type KeptSettings, keptSettings, readsSettings, tellingSettings } from './kept-settings.ts'

/** The commands inside a git command: aliases, settings that are programs, `--exec` and its kin. */
export function startedByGit(call: LaunchCall): Launch | undefined {
  const read = readGitOptions(call.args)
  const [verb, ...args] = read.operands
  const cwd = valuesOf(read, 'C').reduce<string | undefined>((current, folder) => {
    const text = exactText(folder)
    return text === undefined ? undefined : resolvePath(text, { ...call.place, cwd: current })
  }, call.place.cwd)
  const settings = [...valuesOf(read, 'c').flatMap(settingOf), ...environmentSettings(call)]
  // A folder that is known is where it runs; `-C` would lead from there once more.
  const own = withoutFolders(call.args.slice(0, read.operandsAt), cwd !== call.place.cwd)
  const context: Context = { verb: exactText(verb), args, own, settings }
  const runs = [
    ...settings.flatMap(settingRun),
    ...aliasRuns(context),
    ...verbRuns(context),
    ...keptRuns(context, read, cwd, call),
  ]
  if (runs.length === 0) return undefined
  return {
    own: call.args.length,
    runs: cwd === call.place.cwd ? runs : runs.map((run) => ({ ...run, moved: { cwd } })),
  }
}

function withoutFolders(own: readonly Word[], moved: boolean): readonly Word[] {
  if (!moved) return own
  const at = own.findIndex((word) => exactText(word) === '-C')
  return at < 0 ? own : [...own.slice(0, at), ...withoutFolders(own.slice(at + 2), moved)]
}

/**
 * What stands in settings files, where it changes what this call does: the alias that the verb is, another work tree,
 * a push that is forced. It is judged as if it stood in the call.
 */
function keptRuns(
  { verb, args, own, settings }: Context,
  read: ReadOptions,
  cwd: string | undefined,
  call: LaunchCall,
): readonly StartedCommand[] {
  const { place } = call
  if (verb === undefined || cwd === undefined) return []
  const isAlias = !BUILT_IN.has(verb)
  if (!isAlias && !readsSettings(verb)) return []
  const given =
    valuesOf(read, 'git-dir').at(-1) ?? givenVariables(call).findLast(({ name }) => name === 'GIT_DIR')?.value
  const folder = exactText(given)
  const told = folder === undefined ? undefined : resolvePath(folder, { ...place, cwd })
  const kept: KeptSettings = keptSettings(cwd, told, place)
  if (isAlias) {
    const alias = aliasIn(verb, kept.entries)
    if (alias === undefined) return []
    return [{ ...aliasRun(`git ${verb}`, [textPiece(alias)], own, args), setting: true }]
  }
  const telling = tellingSettings(verb, args, cwd, kept, place.home).filter(
    (setting) => !settings.some(({ key }) => setting.toLowerCase().startsWith(`${key.toLowerCase()}=`)),
  )
  if (telling.length === 0) return []
  const options = telling.flatMap((setting) => [exactWord('-c'), exactWord(setting)])
  return [{ via: 'git settings', words: [exactWord('git'), ...own, ...options, exactWord(verb), ...args] }]
}

interface Context {
  readonly verb: string | undefined
  readonly args: readonly Word[]
  /** The options before the verb, without which an alias would mean another repository. */
  readonly own: readonly Word[]
  readonly settings: readonly Setting[]
}

interface Setting {
  readonly key: string
  readonly value: Form
}

/** `-c key=value` */
function settingOf(word: Word): readonly Setting[] {
  return word.forms.flatMap((form) => {
    const [first, ...rest] = form
    const found = first?.kind === 'text' ? /^([^=]+)=(.*)$/s.exec(first.text) : null
    return found === null
      ? []
      : [{ key: found[1] ?? '', value: concatForms([textPiece(found[2] ?? '')], rest) }]
  })
}

/** `GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!code'` */
function environmentSettings(call: LaunchCall): readonly Setting[] {
  const assignments = givenVariables(call)
  return assignments.flatMap(({ name, value }) => {
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1]
    const key = exactText(value)
    const given = assignments.find((each) => each.name === `GIT_CONFIG_VALUE_${number}`)?.value.forms[0]
    return number === undefined || key === undefined || given === undefined ? [] : [{ key, value: given }]
  })
}

function settingRun({ key, value }: Setting): readonly StartedCommand[] {
  return EXECUTED_SETTINGS.test(key) ? [settingCode(`git -c ${key}`, key, value)] : []
}

/** A helper named without `!` is a program of git's own; `true` and `false` switch a feature. */
function settingCode(via: string, key: string, value: Form): StartedCommand {
  const text = exactForm(value) ?? ''
  const isHelper = /^credential\./i.test(key) && !/^[!/~.]/.test(text)
  const code =
    isHelper || /^(true|false|\d*)$/i.test(text)
      ? []
      : [text.startsWith('!') ? [textPiece(text.slice(1))] : value]
  return { via, code, shell: 'child', setting: true }
}

/** The alias that the verb is, where it is one given on this very line. A verb of git's own cannot be replaced. */
function aliasRuns(context: Context): readonly StartedCommand[] {
  const { verb } = context
  if (verb !== undefined && BUILT_IN.has(verb)) return verb === 'config' ? definedRuns(context) : []
  return context.settings
    .filter(({ key }) =>
      (verb === undefined ? /^alias\./i : new RegExp(`^alias\\.${escaped(verb)}$`, 'i')).test(key),
    )
    .map(({ key, value }) => aliasRun(`git ${key.slice(6)}`, value, context.own, context.args))
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function aliasRun(via: string, value: Form, own: readonly Word[], args: readonly Word[]): StartedCommand {
  const text = exactForm(value)
  if (text?.trimStart().startsWith('!') === true) {
    return codeRun(via, joinWords([exactWord(text.trimStart().slice(1)), ...args]), { shell: 'child' })
  }
  if (text === undefined) return codeRun(via, undefined)
  return { via, words: [exactWord('git'), ...own, ...splitWords(text), ...args] }
}

/** The words of an alias: blanks and simple quotes. */
function splitWords(text: string): readonly Word[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  return words.map((word) => exactWord(word.replace(/["']/g, '')))
}

/** `git config alias.x '!code'` runs nothing yet; but the next `git x` does, and no one will see what. */
function definedRuns({ args }: Context): readonly StartedCommand[] {
  const read = readOptions(args, CONFIG_OPTIONS)
  if (read.options.some(({ name }) => /^(get|unset|list|edit)/.test(name))) return []
  const operands = ['set', 'add'].includes(exactText(read.operands[0]) ?? '')
    ? read.operands.slice(1)
    : read.operands
  const [key, value] = operands.slice(0, 2)
  const name = exactText(key) ?? ''
  const form = value?.forms[0]
  if (form === undefined) return []
  if (/^alias\./i.test(name)) return [{ ...aliasRun(`git config ${name}`, form, [], []), setting: true }]
  return EXECUTED_SETTINGS.test(name) ? [settingCode(`git config ${name}`, name, form)] : []
}

const REBASE = 'x|exec= onto= s|strategy= X|strategy-option= S=? C= whitespace= i|interactive'
const TRANSFER = `
  upload-pack= receive-pack|exec= u= o= b|branch= depth= c|config= j|jobs= reference= template= origin=
  shallow-since= filter= separate-git-dir= bundle-uri= server-option=
`
const MAIL = 'to-cmd= cc-cmd= header-cmd= sendmail-cmd= to= cc= from= subject= smtp-server='
const FILTER = `
  setup= env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter=
  subdirectory-filter= original= d= state-branch= f|force prune-empty
`

function verbRuns({ verb, args }: Context): readonly StartedCommand[] {
  const code = (flag: string, words: readonly Word[]): readonly StartedCommand[] =>
    words.map((word) => codeRun(`git ${verb} ${flag}`, word.forms, { shell: 'child' }))
  switch (verb) {
    case 'rebase':
      return code('--exec', valuesOf(readOptions(args, REBASE), 'exec'))
    case 'bisect':
      return exactText(args[0]) === 'run' && args.length > 1
        ? [{ via: 'git bisect run', words: args.slice(1) }]
        : []
    case 'submodule':
    case 'submodule--helper':
      return submoduleRuns(args)
    case 'difftool':
      return code('--extcmd', valuesOf(readOptions(args, 'x|extcmd= t|tool= y d g'), 'extcmd'))
    case 'grep':
      return code(
        '-O',
        valuesOf(readOptions(args, 'O|open-files-in-pager=? e= f= A= B= C= m='), 'open-files-in-pager'),
      )
    case 'filter-branch': {
      const read = readOptions(args, FILTER)
      return code(
        '--filter',
        valuesOf(read, ...read.options.map(({ name }) => name).filter((name) => name.endsWith('-filter'))),
      )
    }
    case 'send-email':
      return code(
        '--to-cmd',
        valuesOf(readOptions(args, MAIL), 'to-cmd', 'cc-cmd', 'header-cmd', 'sendmail-cmd'),
      )
    case 'shell':
      return code('-c', valuesOf(readOptions(args, 'c='), 'c'))
    case 'instaweb':
      return code('-d', valuesOf(readOptions(args, 'd|httpd= b|browser='), 'httpd', 'browser'))
    case 'remote-ext':
      return args.slice(1).map((word) => ({
        via: 'git remote-ext',
        words: externalWords(exactText(word) ?? ''),
      }))
    case 'clone':
    case 'fetch':
    case 'pull':
    case 'push':
    case 'ls-remote':
    case 'archive':
    case 'fetch-pack':
    case 'send-pack':
      return transferRuns(verb, args)
    default:
      return []
  }
}

/** A setting of the new repository: `clone -c alias.x='!code'`. */
function keptRun(setting: Setting): readonly StartedCommand[] {
  const { key, value } = setting
  return /^alias\./i.test(key)
    ? [{ ...aliasRun(`git ${key.slice(6)}`, value, [], []), setting: true }]
    : settingRun(setting)
}

function submoduleRuns(args: readonly Word[]): readonly StartedCommand[] {
  const at = args.findIndex((word) => exactText(word) === 'foreach')
  if (at < 0) return []
  const { operands } = readOptions(args.slice(at + 1), 'recursive q|quiet', {
    stopAtOperand: true,
  })
  const run = { shell: 'child', moved: { cwd: undefined } } as const
  return operands.length === 0 ? [] : [codeRun('git submodule foreach', joinWords(operands), run)]
}

/** In an `ext::` address a blank separates words, and `% ` is a blank inside one. */
function externalWords(text: string): readonly Word[] {
  return text.split(/(?<!%) +/).map((word) => exactWord(word.replaceAll('% ', ' ').replaceAll('%%', '%')))
}

/** `--upload-pack=code`, `ext::code` as the address, and the settings a clone is given. */
function transferRuns(verb: string, args: readonly Word[]): readonly StartedCommand[] {
  const read = readOptions(args, TRANSFER)
  const packs = valuesOf(read, 'upload-pack', 'exec', ...(verb === 'clone' ? ['u'] : []))
  const settings = verb === 'clone' ? valuesOf(read, 'config').flatMap(settingOf).flatMap(keptRun) : []
  const external = read.operands.flatMap((word) => /^ext::(.*)$/s.exec(exactText(word) ?? '')?.[1] ?? [])
  return [
    ...packs.map((word) => codeRun(`git ${verb} --upload-pack`, word.forms, { shell: 'child' })),
    ...external.map((text) => ({ via: `git ${verb} ext::`, words: externalWords(text) })),
    ...settings,
  ]
}
