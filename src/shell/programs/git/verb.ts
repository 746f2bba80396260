import { isSet, type OptionText, type ReadOptions, readOptions } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ShellEffect } from '../../vocabulary/effect.ts'
import { exactForm, exactText, type Form, hasUnknown, type Word } from '../../words/words.ts'
import type { GitSetting } from './call.ts'

/** What one git command does. */
export type Verb = (call: GitVerbCall) => readonly ShellEffect[]

export interface GitVerbCall {
  /** What follows the verb. */
  readonly args: readonly Word[]
  /** Settings for this call alone, the last one of a key counts. */
  readonly config: readonly GitSetting[]
  readonly command: SimpleCommand
  /** The folder that git was told to take for its work tree. */
  readonly tree: Word | undefined
  readonly cwd: string | undefined
  readonly home: string
}

export interface GitOptions extends ReadOptions {
  /** It only prints how it is used. */
  readonly help: boolean
  /** A word that may turn out to be any option. */
  readonly open: Word | undefined
  /** What stands behind `--`; undefined without one. */
  readonly paths: readonly Word[] | undefined
  /** Some word may be one of several options: their order cannot be told, and none of them is certain. */
  readonly varies: boolean
  /** Given, or possibly given: for options that do harm. */
  may(...names: readonly string[]): boolean
  /** Given for certain: for options that make it harmless. */
  surely(...names: readonly string[]): boolean
}

export function readVerb(args: readonly Word[], table: OptionText): GitOptions {
  const read = readOptions(args, table)
  const dashes = args.findIndex((word) => exactText(word) === '--')
  const own = dashes < 0 ? args : args.slice(0, dashes)
  const varies = own.some((word) => word.forms.length > 1)
  const given = (name: string): boolean => read.options.some((option) => option.name === name)
  return {
    ...read,
    help: isHelp(own, read),
    open: read.doubtful.find(isOpen) ?? own.find(isHalfOption),
    paths: dashes < 0 ? undefined : args.slice(dashes + 1),
    varies,
    may: (...names) => names.some((name) => isSet(read, name) || (varies && given(name))),
    surely: (...names) => !varies && names.some((name) => isSet(read, name)),
  }
}

/** `--help` where it is no value of another option; `-h` counts only alone, elsewhere it may be a flag. */
function isHelp(own: readonly Word[], read: ReadOptions): boolean {
  if (own.length === 1 && exactText(own[0]) === '-h') return true
  const asked = read.options.some(({ name, listed }) => name === 'help' && !listed)
  return asked && own.some((word) => exactText(word) === '--help')
}

/** Nothing of it is known, and its name does not tell that it is a branch, a commit or a file. */
function isOpen(word: Word): boolean {
  return isUnknown(word) && !tellsRef(word) && !tellsFile(word)
}

/** Every text it may be begins with something unknown; a default written out (`${REF:-main}`) tells what is meant. */
export function isUnknown(word: Word): boolean {
  return word.forms.every((form) => form[0]?.kind === 'unknown')
}

const REF = /branch|commit|ref|rev|sha|hash|tag|base|head|version|remote|upstream|main|trunk|date|\bgit\s/i
const FILE = /file|path|dir|folder|name|target|root|repo|module|package|url|--name-only|--porcelain/i

/** `$BRANCH`, `$(git rev-parse …)`. */
export function tellsRef(word: Word): boolean {
  return REF.test(saidOf(word)) && !tellsFile(word)
}

/** `$FILE`, `$(git diff --name-only)`. */
function tellsFile(word: Word): boolean {
  return FILE.test(saidOf(word)) && !/branch|commit/i.test(saidOf(word))
}

/** As it was written, and where an unknown part of it came from. */
function saidOf(word: Word): string {
  return [word.source, ...word.forms.flatMap((form) => form.map((piece) => piece.text))].join(' ')
}

/** `-$X`, `--$X`, `--ha$X`. */
function isHalfOption(word: Word): boolean {
  return word.forms.some((form) => {
    return hasUnknown(form) && form[0]?.kind === 'text' && /^-(-[\w-]*)?$/.test(form[0].text)
  })
}

export function unknownSince(word: Word): string {
  return `${word.source} is known only at run time`
}

/** May it be one of these words? */
export function isAny(word: Word, names: readonly string[]): boolean {
  return word.forms.some((form) => names.includes(exactForm(form) ?? ''))
}

const TRUNK = /^:?(refs\/heads\/)?(HEAD|main|master|trunk|develop|production|prod|release)$/

/** A branch that everybody builds on, also as `:main`. */
export function isTrunk(ref: Word): boolean {
  return ref.forms.some((form) => TRUNK.test(exactForm(form) ?? ''))
}

/** How the text begins, where that is known. */
export function knownPrefix(form: Form): string {
  return form[0]?.kind === 'text' ? form[0].text : ''
}

/** A setting's last value for this call; undefined when it is not set. */
export function gitSettingOf(call: GitVerbCall, key: string): Word | undefined {
  return call.config.findLast((setting) => setting.key === key)?.value
}

export function isFalse(value: Word): boolean {
  return value.forms.some((form) => /^(false|no|off|0|)$/i.test(exactForm(form) ?? 'unknown'))
}
