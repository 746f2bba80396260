import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import { isInside, resolvePath } from '../../words/paths.ts'
import { exactForm, type Form, isWhollyUnknown, type Word } from '../../words/words.ts'
import { CONFIG_EXEC } from './acts.ts'
import type { GitSetting } from './call.ts'
import { isOrdinaryProgram } from './ordinary-program.ts'

/** Settings by which git runs a program of somebody's choice, and which choices are worth a question. */

/** Where git is told the setting: for this call alone, or to be kept for every later one. */
type Duration = 'once' | 'kept'

interface Place {
  readonly cwd: string | undefined
  readonly home: string
}

export function settingEffects(
  settings: readonly GitSetting[],
  duration: Duration,
  place: Place,
): readonly ShellEffect[] {
  const suspicious = settings.flatMap((setting) => {
    const doubt = judge(setting, duration, place)
    return doubt === undefined ? [] : [{ setting, doubt }]
  })
  return suspicious.flatMap(({ setting, doubt }) => effectsOf(setting, duration, doubt))
}

function effectsOf({ key, value }: GitSetting, duration: Duration, doubt: Doubt): readonly ShellEffect[] {
  const unsure = doubt === 'certain' ? {} : { unsure: doubt.unknown }
  const when = duration === 'once' ? '' : ' from now on'
  if (OTHER_ADDRESS.test(key)) return [{ ...CONFIG_EXEC, what: `${otherHost(key, value)}${when}`, ...unsure }]
  const what = `makes git run a program named in its settings${when} (${key === '' ? 'unknown setting' : key})`
  const act: ActEffect = { ...CONFIG_EXEC, what, ...unsure }
  return duration === 'once' ? [act, { kind: 'exec', from: 'environment', what, ...unsure }] : [act]
}

type Doubt = 'certain' | { readonly unknown: string }

/** Undefined when the setting runs nothing, or only what people use there. */
function judge(setting: GitSetting, duration: Duration, place: Place): Doubt | undefined {
  const { key, value } = setting
  if (key === '') return { unknown: `${value.source} is known only at run time` }
  if (isFolderKey(setting, duration)) {
    return value.forms.every((form) => isOwnFolder(form, place)) ? undefined : doubtOf(value)
  }
  if (OTHER_ADDRESS.test(key)) return isOtherHost(key, value) ? 'certain' : undefined
  if (key === 'protocol.ext.allow') return value.forms.every(isNever) ? undefined : 'certain'
  if (/^submodule\..*\.update$/.test(key)) return value.forms.some(opensCommand) ? 'certain' : undefined
  if (!RUNS.some((pattern) => pattern.test(key))) return undefined
  return value.forms.every((form) => isOrdinaryProgram(form, kindOf(key))) ? undefined : doubtOf(value)
}

function doubtOf(value: Word): Doubt {
  return value.forms.some(isWhollyUnknown)
    ? { unknown: `${value.source} is known only at run time` }
    : 'certain'
}

/** Every key whose value is a program, in small letters. */
const RUNS: readonly RegExp[] = [
  /^core\.(pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand|fsmonitor)$/,
  /^(pager\..*|sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook)$/,
  /^diff\.(external|.*\.(command|textconv))$/,
  /^(merge\..*\.driver|(merge|diff)tool\..*\.cmd|filter\..*\.(clean|smudge|process))$/,
  /^(?:gpg\.(?:.*\.)?program|gpg\.ssh\.defaultkeycommand|(?:hook|tar)\..*\.command)$/,
  /^credential\.(.*\.)?helper$/,
  /^sendemail\.(.*\.)?(sendmailcmd|tocmd|cccmd|headercmd)$/,
  /^(remote\..*\.(uploadpack|receivepack)|trailer\..*\.(command|cmd)|(browser|man|guitool)\..*\.cmd)$/,
]

function kindOf(key: string): 'helper' | 'program' | 'connection' {
  if (/^core\.(sshcommand|gitproxy)$/.test(key)) return 'connection'
  return key.startsWith('credential.') ? 'helper' : 'program'
}

/** `url.<here>.insteadOf <there>`: whoever asks for the one address gets the other. */
const OTHER_ADDRESS = /^url\.(.*)\.(push)?insteadof$/

/** To speak ssh instead of https with the same host, or to spell it shorter, is what people use it for. */
function isOtherHost(key: string, value: Word): boolean {
  const here = hostOf(OTHER_ADDRESS.exec(key)?.[1] ?? '')
  if (here === undefined) return false
  return value.forms.some((form) => {
    const there = hostOf(exactForm(form) ?? '')
    return there !== undefined && there !== here
  })
}

function otherHost(key: string, value: Word): string {
  return `makes git ask ${hostOf(OTHER_ADDRESS.exec(key)?.[1] ?? '')} for what is at ${value.source}`
}

/** The host of `https://name@host:443/path` and of `name@host:path`; none of `https://`, `gh:` or a folder. */
function hostOf(address: string): string | undefined {
  const [, full, short] = /^(?:[\w+]+:\/\/(?:[^/@]*@)?([\w.-]+)|[\w.-]+@([\w.-]+):)/.exec(address) ?? []
  return (full ?? short)?.toLowerCase()
}

/** Folders and files that git takes hooks, or more settings, from. */
function isFolderKey({ key, value }: GitSetting, duration: Duration): boolean {
  if (['core.hookspath', 'init.templatedir'].includes(key)) return true
  if (!/^include(if\..*)?\.path$/.test(key)) return false
  // People keep such an include, so that is fine, but not where everybody may write.
  return (
    duration === 'once' ||
    value.forms.some((form) => /^\/(tmp|var\/tmp|dev\/shm)\//.test(exactForm(form) ?? ''))
  )
}

/** In the folder git runs in, or switched off. */
function isOwnFolder(form: Form, place: Place): boolean {
  const text = exactForm(form)
  if (text === undefined) return false
  if (text === '' || text === '/dev/null') return true
  const path = resolvePath(text, place)
  if (path === undefined || place.cwd === undefined) return !/^[/~]|(^|\/)\.\.(\/|$)/.test(text)
  return isInside(path, place.cwd)
}

function isNever(form: Form): boolean {
  return /^(never|user)$/i.test(exactForm(form) ?? '')
}

function opensCommand(form: Form): boolean {
  return form[0]?.kind !== 'text' || form[0].text.startsWith('!')
}
