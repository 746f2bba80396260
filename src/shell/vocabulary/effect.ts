import { type PathForm, resolveForm } from '../words/paths.ts'
import { exactForm, type Form, type Word } from '../words/words.ts'
import type { SimpleCommand } from './command.ts'

/** What a command would do to the world, as far as its text tells. Policy is not made here: guards choose from these. */
export type ShellEffect = FileEffect | ExecEffect | NetEffect | ActEffect

interface Base {
  /** Set when it is not certain: what is not known. The end of a sentence after "that cannot be ruled out:". */
  readonly unsure?: string
}

export interface FileEffect extends Base, FileName {
  /** `metadata`: whether it is there, its size, its rights; never what is in it. */
  readonly kind: 'read' | 'write' | 'delete' | 'metadata'
  /** With everything below it. */
  readonly recursive?: boolean
  /** Some test (`find -name`) keeps most of what is there out of it. */
  readonly narrowed?: boolean
  /** Read by a program that uses it (`source`, `--env-file`), and does not show it. */
  readonly loaded?: boolean
  /** A word that may or may not be a file: nothing is known of what the program does with it. */
  readonly guessed?: boolean
}

/** A file as a command names it. */
export interface FileName {
  readonly form: Form
  /** As it was written. */
  readonly source: string
  /** The folder a relative name counts from; undefined when that is not known. */
  readonly cwd: string | undefined
}

/** Code runs that does not stand in the command line itself. */
export interface ExecEffect extends Base {
  readonly kind: 'exec'
  readonly from: 'network' | 'file' | 'input' | 'environment' | 'unknown'
  /** The end of a sentence after "this": "runs what https://example.com sends". */
  readonly what: string
  /** The file that is run, where it is one. */
  readonly file?: FileName
}

export interface NetEffect extends Base {
  readonly kind: 'net'
  /** `out`: something of this machine is sent. `in`: something is fetched. */
  readonly direction: 'in' | 'out'
  /** The host as written, where it is known. */
  readonly host: string | undefined
  /** What is sent, or where it is kept, where that is a file. */
  readonly file?: FileName
  /** What comes in on standard input is sent; or what is fetched goes to standard output. */
  readonly stream?: boolean
  /** The file is a folder, with everything below it. */
  readonly recursive?: boolean
  /** The machine is one the person logs in to (ssh, scp, rsync): sending work there is how it is deployed. */
  readonly login?: boolean
  /** What is sent where that is no file: "every environment variable". */
  readonly carries?: string
}

/** An act that is not about one file. */
export interface ActEffect extends Base {
  readonly kind: ActKind
  /** Which act: `git/hard-reset`, `kubernetes/delete`. The guards that catch it name it. */
  readonly act: string
  /** The end of a sentence after "this": "throws away every change that is not committed". */
  readonly what: string
}

export type ActKind =
  | 'privilege'
  | 'git-discard'
  | 'git-history'
  | 'remote-mutate'
  | 'data-destroy'
  | 'system-change'

/** An act by its name, which the guards that catch it use too. */
export function act<const Id extends string>(id: Id, kind: ActKind, what: string): NamedAct<Id> {
  return { kind, act: id, what }
}

export type NamedAct<Id extends string> = ActEffect & { readonly act: Id }

/** The same effects, not certain. A doubt they have already stays. */
export function unsureOf<Effect extends ShellEffect>(
  effects: readonly Effect[],
  why: string,
): readonly Effect[] {
  return effects.map((effect) => ({ unsure: why, ...effect }))
}

/** An effect, and the command that has it. */
export interface FoundEffect {
  readonly effect: ShellEffect
  readonly command: SimpleCommand
}

export function isFileEffect(effect: ShellEffect): effect is FileEffect {
  return 'form' in effect
}

export function isAct(effect: ShellEffect): effect is ActEffect {
  return 'act' in effect
}

/** The file a word names: one for each text the word may be. */
export function namedFiles(word: Word, cwd: string | undefined): readonly FileName[] {
  return word.forms.map((form) => ({ form, source: exactForm(form) ?? word.source, cwd }))
}

export function pathOf(file: FileName, home: string): PathForm {
  return resolveForm(file.form, { cwd: file.cwd, home })
}

/** One line a test or a person can read: `delete /srv/project/build recursive`, `git-discard git/hard-reset ?`. */
export function spellEffect(effect: ShellEffect, home: string): string {
  const doubt = effect.unsure === undefined ? '' : ' ?'
  return `${spellCertain(effect, home)}${doubt}`
}

function spellCertain(effect: ShellEffect, home: string): string {
  if (isFileEffect(effect)) {
    const marks = [effect.recursive === true ? ' recursive' : '', effect.narrowed === true ? ' narrowed' : '']
    return `${effect.kind} ${spellPath(pathOf(effect, home))}${marks.join('')}`
  }
  if (isAct(effect)) return `${effect.kind} ${effect.act}`
  if (effect.kind === 'exec') {
    return `exec ${effect.from}${effect.file === undefined ? '' : ` ${spellPath(pathOf(effect.file, home))}`}`
  }
  const file = effect.file === undefined ? '' : ` ${spellPath(pathOf(effect.file, home))}`
  const marks = [effect.recursive === true ? ' recursive' : '', effect.stream === true ? ' -' : '']
  const carried = effect.carries === undefined ? '' : ` (${effect.carries})`
  return `net ${effect.direction} ${effect.host ?? '?'}${file}${marks.join('')}${carried}`
}

/** The path for people: patterns stay, `‹$X›` is what is not known. */
export function spellPath(path: PathForm): string {
  const parts = path.parts.map((part) =>
    part.map((piece) => (piece.kind === 'unknown' ? `‹${piece.text}›` : piece.text)).join(''),
  )
  return `${path.anchored ? '/' : ''}${parts.join('/')}`
}
