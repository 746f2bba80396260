import { isSet, readOptions } from '../../arguments/options.ts'
import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import { findsIn } from '../../words/found.ts'
import { exactText, type Word } from '../../words/words.ts'
import { type ProgramCall, program } from '../program.ts'
import { CHANGE, CLOSE, done, OPEN, OPEN_ALL, OWNER, SETUID, SHOW, TIGHTEN } from './acts.ts'
import { type ModeMeaning, readMode } from './modes.ts'

const OPTIONS = `
  R|recursive c|changes f|silent|quiet v|verbose h|no-dereference dereference H L P reference= preserve-root
  no-preserve-root help version
`
const CHMOD = OPTIONS

export const chmod = program('chmod', {
  does: modeChanged,
  files: { operands: 'metadata' },
  keeps: { kind: 'nothing' },
})

function modeChanged(call: ProgramCall): readonly ShellEffect[] {
  const list = listChanged(call)
  if (list !== undefined) return list
  // `chmod -rwx x`: a mode that looks like options.
  const dashed = call.command.args.find((word) => /^-[rwxXstugoa]+$/.test(exactText(word) ?? ''))
  const read = readOptions(
    call.command.args.filter((word) => word !== dashed),
    CHMOD,
  )
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  const isGiven = dashed !== undefined || read.options.some((option) => option.name === 'reference')
  const mode = isGiven ? dashed : read.operands[0]
  const targets = isGiven ? read.operands : read.operands.slice(1)
  const recursive = isSet(read, 'recursive')
  const text = exactText(mode)
  const meaning = text === undefined ? undefined : readMode(text)
  const open = mode !== undefined && text === undefined
  const act = open
    ? { ...OPEN_ALL, unsure: `${mode.source} is known only at run time` }
    : modeAct(meaning, targets, recursive || targets.some(isFound))
  const acts = [meaning?.setsUser === true ? SETUID : undefined, act].filter((each) => each !== undefined)
  const [first, ...others] = acts
  return first === undefined ? [] : [...others, ...done(first, targets, call, recursive)]
}

/** macOS: `chmod +a 'everyone allow write' x` changes the list of who may do what; `+a# 0` says at which place. */
function listChanged(call: ProgramCall): readonly ShellEffect[] | undefined {
  const { args } = call.command
  const at = args.findIndex((word) => /^(?:[+=]ai?#?|-a#?)$/.test(exactText(word) ?? ''))
  if (at < 0) return undefined
  const how = exactText(args[at]) ?? ''
  const entryAt = how.endsWith('#') && !how.startsWith('-') ? at + 2 : at + 1
  const [entry, ...targets] = args.slice(entryAt)
  const recursive = args.slice(0, at).some((word) => /^-[A-Za-z]*R/.test(exactText(word) ?? ''))
  const what = entry === undefined ? undefined : listAct(entry, how, recursive, targets)
  return what === undefined ? [] : done(what, targets, call, recursive)
}

function listAct(
  entry: Word,
  how: string,
  recursive: boolean,
  targets: readonly Word[],
): ActEffect | undefined {
  const text = exactText(entry)
  if (text === undefined) return { ...OPEN_ALL, unsure: `${entry.source} is known only at run time` }
  if (how.startsWith('-') || !/\ballow\b/i.test(text)) return recursive ? TIGHTEN : undefined
  const forAll = /^(?:group:)?(?:everyone|staff|users)\b/i.test(text)
  if (LIST_CHANGES.test(text)) return forAll ? OPEN_ALL : OWNER
  return forAll && targets.some(isPrivateKey) ? SHOW : undefined
}

/** Rights by which a file, or what is in a folder, can be changed. */
const LIST_CHANGES =
  /\b(?:write|append|delete|delete_child|add_file|add_subdirectory|chown|writesecurity|writeattr|writeextattr)\b/i

function modeAct(
  meaning: ModeMeaning | undefined,
  targets: readonly Word[],
  many: boolean,
): ActEffect | undefined {
  if (meaning?.opensAll === true) return OPEN_ALL
  if (meaning?.opens === true) return OPEN
  if (meaning?.closes === true) return CLOSE
  if (many) return meaning?.gentle === true ? TIGHTEN : CHANGE
  return meaning?.shows === true && targets.some(isPrivateKey) ? SHOW : undefined
}

/** What `find` names one by one. */
function isFound(word: Word): boolean {
  return word.forms.some((form) => findsIn(form) !== undefined)
}

function isPrivateKey(word: Word): boolean {
  const text = word.forms.map((form) => form.map((piece) => piece.text).join('')).join(' ')
  return /(^|\/)(\.ssh\/)?(id_(rsa|dsa|ecdsa|ed25519)|[^/ ]+\.key)$/.test(text)
}

const CHOWN = [OPTIONS, 'from='].join(' ')

function ownerChanged(call: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(call.command.args, CHOWN)
  if (isSet(read, 'help') || isSet(read, 'version')) return []
  const byFile = read.options.some((option) => option.name === 'reference')
  const owner = byFile ? undefined : read.operands[0]
  const targets = byFile ? read.operands : read.operands.slice(1)
  const recursive = isSet(read, 'recursive')
  const many = recursive || read.operands.some(isFound)
  // One file given back to root is what it was before.
  if (!many && /^(root|0)?([:.](root|0|wheel)?)?$/.test(exactText(owner) ?? 'x')) return []
  return targets.length === 0 ? [] : done(OWNER, targets, call, recursive)
}

export const chown = program('chown', {
  does: ownerChanged,
  files: { operands: 'metadata' },
  keeps: { kind: 'nothing' },
})
export const chgrp = program('chgrp', { does: ownerChanged, files: { operands: 'metadata' } })
