import { isSet, optionTable, readOptions } from '../../arguments/options.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, exactWord } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { done, permissionAct } from './acts.ts'

const SETFACL = optionTable(`
  m|modify= M|modify-file= x|remove= X|remove-file= b|remove-all k|remove-default n set= set-file= mask
  d|default restore= test R|recursive L P v h|help
`)

export function listChanged(call: ModelCall): readonly ShellEffect[] {
  const read = readOptions(call.command.args, SETFACL)
  if (isSet(read, 'test') || isSet(read, 'help')) return []
  const recursive = isSet(read, 'recursive')
  const given = read.options.filter((option) => ['modify', 'set'].includes(option.name))
  const opens = given.some((option) =>
    /(^|,)(d:|default:)?o(ther)?:+[r-]?w/.test(exactText(option.value) ?? ''),
  )
  if (opens) return done(permissionAct('open'), read.operands, call, recursive)
  return recursive ? done(permissionAct('change'), read.operands, call, recursive) : []
}

/** `+i` and `-i`, `+a` and `-a` decide whether a file can be changed; the others are tuning. */
export function attributesChanged(call: ModelCall): readonly ShellEffect[] {
  const words = call.command.args
  const changes = words.filter((word) => /^[-+=][A-Za-z]+$/.test(exactText(word) ?? ''))
  const recursive = changes.some((word) => /^-[A-Za-z]*R/.test(exactText(word) ?? ''))
  if (!changes.some((word) => /^[-+=][A-Za-z]*[ia]/.test(exactText(word) ?? ''))) return []
  const targets = words.filter((word) => !changes.includes(word))
  return targets.length === 0 ? [] : done(permissionAct('attributes'), targets, call, recursive)
}

export function capabilitySet(call: ModelCall): readonly ShellEffect[] {
  const { options, operands } = readOptions(call.command.args, optionTable('r v q n= f h'))
  if (options.some((option) => ['r', 'v', 'h'].includes(option.name)) || operands.length < 2) return []
  const targets = operands.filter((_, at) => at % 2 === 1)
  return done(permissionAct('setuid'), targets, call, false)
}

/** macOS: `chflags -R uchg x`. */
export function flagsChanged(call: ModelCall): readonly ShellEffect[] {
  const { options, operands } = readOptions(call.command.args, optionTable('R H L P f h v x'))
  const recursive = options.some((option) => option.name === 'R')
  const locks = /(^|,)(no)?(uchg|uimmutable|schg|simmutable|uappnd|sappnd|restricted|hidden)/
  if (!locks.test(exactText(operands[0]) ?? '') || operands.length < 2) return []
  return done(permissionAct('attributes'), operands.slice(1), call, recursive)
}

/** Windows: `icacls C:\\ /grant Everyone:F /T`, `takeown /F C:\\Windows /R`. A drive counts as the top. */
export function windowsRights(call: ModelCall): readonly ShellEffect[] {
  const { args } = call.command
  const words = args.map((word) => exactText(word) ?? '')
  const opens = words.some((word) => /^(Everyone|Users|\*S-1-1-0):.*[FMW]/i.test(word))
  if (call.name === 'icacls' && !opens) return []
  const at = call.name === 'icacls' ? 0 : words.findIndex((word) => /^\/f$/i.test(word)) + 1
  const target = words[at] ?? ''
  if (target === '' || (call.name === 'takeown' && at === 0)) return []
  const recursive = words.some((word) => /^\/[tr]$/i.test(word))
  const what = permissionAct(call.name === 'icacls' ? 'open-all' : 'owner')
  return done(what, [exactWord(/^[a-z]:/i.test(target) ? `/${target}` : target)], call, recursive)
}
