import { wordList } from '../../core/word-list.ts'
import { isSet, optionTable, type ReadOptions, readOptions } from '../arguments/options.ts'
import type { ActEffect, ShellEffect } from '../vocabulary/effect.ts'
import { findsIn } from '../words/found.ts'
import { exactText, type Word } from '../words/words.ts'
import type { Model, ModelCall } from './model.ts'
import { done, permissionAct } from './permissions/acts.ts'
import { readMode } from './permissions/modes.ts'
import {
  attributesChanged,
  capabilitySet,
  flagsChanged,
  listChanged,
  windowsRights,
} from './permissions/other-rights.ts'

/** Who may do what with which file. The acts come with the files they are done to. */
export const permissions: Model = {
  programs: wordList('chmod chown chgrp setfacl chattr chflags setcap icacls takeown'),
  effects(call) {
    switch (call.name) {
      case 'chmod':
        return modeChanged(call)
      case 'setfacl':
        return listChanged(call)
      case 'chattr':
        return attributesChanged(call)
      case 'chflags':
        return flagsChanged(call)
      case 'icacls':
      case 'takeown':
        return windowsRights(call)
      case 'setcap':
        return capabilitySet(call)
      default:
        return ownerChanged(call)
    }
  },
}

export { cases } from './permissions/cases.ts'

const COMMON = `
  R|recursive c|changes f|silent|quiet v|verbose h|no-dereference dereference H L P reference= preserve-root
  no-preserve-root help version
`
const CHMOD = optionTable(COMMON)

function modeChanged(call: ModelCall): readonly ShellEffect[] {
  // `chmod -rwx x`: a mode that looks like options.
  const dashed = call.command.args.find((word) => /^-[rwxXstugoa]+$/.test(exactText(word) ?? ''))
  const args = call.command.args.filter((word) => word !== dashed)
  const read = readOptions(args, CHMOD)
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  const byFile = read.options.some((option) => option.name === 'reference')
  const [mode, targets] = splitMode(dashed, byFile, read)
  const recursive = isSet(read, 'recursive')
  const many = recursive || targets.some(isFound)
  const text = exactText(mode)
  const meaning = text === undefined ? undefined : readMode(text)
  const acts: ActEffect[] = []
  if (mode !== undefined && text === undefined) {
    acts.push(permissionAct('open-all', `${mode.source} is known only at run time`))
  } else if (meaning?.opensAll === true) acts.push(permissionAct('open-all'))
  else if (meaning?.opens === true) acts.push(permissionAct('open'))
  else if (meaning?.closes === true) acts.push(permissionAct('close'))
  else if (many) acts.push(permissionAct(meaning?.gentle === true ? 'tighten' : 'change'))
  else if (meaning?.shows === true && targets.some(isPrivateKey)) acts.push(permissionAct('show'))
  if (meaning?.setsUser === true) acts.unshift(permissionAct('setuid'))
  const [first, ...others] = acts
  if (first === undefined) return []
  return [...others, ...done(first, targets, call, recursive)]
}

/** What `find` names one by one. */
function isFound(word: Word): boolean {
  return word.forms.some((form) => findsIn(form) !== undefined)
}

function isPrivateKey(word: Word): boolean {
  const text = word.forms.map((form) => form.map((piece) => piece.text).join('')).join(' ')
  return /(^|\/)(\.ssh\/)?(id_(rsa|dsa|ecdsa|ed25519)|[^/ ]+\.key)$/.test(text)
}

function splitMode(
  dashed: Word | undefined,
  byFile: boolean,
  read: ReadOptions,
): readonly [Word | undefined, readonly Word[]] {
  if (dashed !== undefined || byFile) return [dashed, read.operands]
  return [read.operands[0], read.operands.slice(1)]
}

const CHOWN = optionTable(COMMON, 'from=')

function ownerChanged(call: ModelCall): readonly ShellEffect[] {
  const read = readOptions(call.command.args, CHOWN)
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  const byFile = read.options.some((option) => option.name === 'reference')
  const [owner, ...rest] = byFile ? [undefined, ...read.operands] : read.operands
  const recursive = isSet(read, 'recursive')
  const many = recursive || read.operands.some(isFound)
  // One file given back to root is what it was before.
  if (!many && /^(root|0)?([:.](root|0|wheel)?)?$/.test(exactText(owner) ?? 'x')) return []
  const targets = rest.filter((word) => word !== undefined)
  return targets.length === 0 ? [] : done(permissionAct('owner'), targets, call, recursive)
}
