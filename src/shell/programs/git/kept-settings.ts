import { readOptions, valuesOf } from '../../arguments/options.ts'
import { type FilePlace, knownTextAt, putFile } from '../../expand/line-files.ts'
import type { Shell } from '../../expand/state.ts'
import { isInside, resolvePath } from '../../words/paths.ts'
import { concatForms, exactForm, exactText, exactWord, textPiece, type Word } from '../../words/words.ts'
import { readGit } from './call.ts'
import { CONFIG_OPTIONS } from './config.ts'
import {
  type GitEntry,
  type GitRepository,
  gitEntries,
  gitRepositoryAt,
  type ReadText,
} from './config-file.ts'

/** Settings in files: what git would read there, and what this line puts there. */
export interface KeptSettings {
  readonly entries: readonly GitEntry[]
  /** The folder that git takes for its work tree where nothing tells it another. */
  readonly root: string | undefined
}

/** The settings files that git reads in this folder, on the disk and as this line leaves them. */
export function keptSettings(cwd: string, told: string | undefined, place: FilePlace): KeptSettings {
  const read = readIn(place)
  const repository = told === undefined ? gitRepositoryAt(cwd, read) : { root: undefined, folder: told }
  const entries = gitEntries(repository, place.home, read).flatMap((entry) => ownTree(entry, repository))
  return { entries, root: repository?.root }
}

/** What this line wrote to a file counts beside what was there before: one of them holds. */
function readIn(place: FilePlace): ReadText {
  const texts = new Map<string, string | undefined>()
  return (path) => {
    if (!texts.has(path)) {
      const written = place.files.size === 0 ? undefined : knownTextAt(exactWord(path), place)
      const all = [place.readNow?.(path), ...(written ?? []).map((form) => exactForm(form))]
      const known = all.filter((text) => text !== undefined)
      texts.set(path, known.length === 0 ? undefined : known.join('\n'))
    }
    return texts.get(path)
  }
}

/** A work tree is told from the git folder. That of a submodule is where git found it, which is nothing to tell. */
function ownTree(entry: GitEntry, repository: GitRepository | undefined): readonly GitEntry[] {
  if (entry.key !== 'core.worktree' || repository === undefined) return [entry]
  const value = resolvePath(entry.value, { cwd: repository.folder, home: '/' }) ?? entry.value
  return value === repository.root ? [] : [{ ...entry, value }]
}

/** Verbs that do something else by settings that no option and no variable gives them. */
const TOLD_BY_SETTINGS: Readonly<Record<string, RegExp>> = {
  am: /^core\.worktree$/,
  apply: /^core\.worktree$/,
  bisect: /^core\.worktree$/,
  'cherry-pick': /^core\.worktree$/,
  merge: /^core\.worktree$/,
  pull: /^core\.worktree$/,
  rebase: /^core\.worktree$/,
  revert: /^core\.worktree$/,
  'sparse-checkout': /^core\.worktree$/,
  switch: /^core\.worktree$/,
  stash: /^core\.worktree$/,
  checkout: /^core\.worktree$/,
  'checkout-index': /^core\.worktree$/,
  'read-tree': /^core\.worktree$/,
  reset: /^core\.worktree$/,
  restore: /^core\.worktree$/,
  rm: /^core\.worktree$/,
  clean: /^(?:core\.worktree|clean\.requireforce)$/,
  push: /^remote\..*\.(?:push|mirror)$/s,
}

/** They take away or overwrite what is there; the others only when they are told another tree. */
const CLEARS = /^(?:stash|checkout|checkout-index|read-tree|reset|restore|rm|clean)$/

/** The settings that change what this verb does, as options of the call: `core.worktree=/home/dev`. */
export function tellingSettings(
  verb: string,
  args: readonly Word[],
  cwd: string,
  { entries, root }: KeptSettings,
  home: string,
): readonly string[] {
  const telling = TOLD_BY_SETTINGS[verb]
  if (telling === undefined) return []
  const told = entries.filter(({ key, value }) => telling.test(key) && isTold(key, value, args))
  const tree = told.some(({ key }) => key === 'core.worktree')
  // A home that is a repository itself is emptied from every folder in it.
  const above = CLEARS.test(verb) && !tree && root !== undefined && root !== cwd && isInside(home, root)
  return [...told.map(({ key, value }) => `${key}=${value}`), ...(above ? [`core.worktree=${root}`] : [])]
}

/** What is pushed by settings is pushed where no ref is named. */
function isTold(key: string, value: string, args: readonly Word[]): boolean {
  if (!key.endsWith('.push')) return true
  const named = args.filter((word) => !(exactText(word) ?? '').startsWith('-'))
  return value.startsWith('+') && named.length < 2
}

export function readsSettings(verb: string): boolean {
  return Object.hasOwn(TOLD_BY_SETTINGS, verb)
}

const TAKES = /^(?:get|unset|rename|remove|list|edit|blob|name-only|show)/

/** `git config alias.x 'stash -u'; git x`: what is set stands in the file for the rest of the line. */
export function keepsSetting(args: readonly Word[], shell: Shell): void {
  const call = readGit(args, shell)
  if (exactText(call.verb) !== 'config' || call.cwd === undefined) return
  const read = readOptions(call.args, CONFIG_OPTIONS)
  if (read.options.some(({ name }) => TAKES.test(name))) return
  const [first, ...rest] = read.operands
  const [key, value] = ['set', 'add'].includes(exactText(first) ?? '') ? rest : read.operands
  const [, section = '', subsection, name = ''] =
    /^([\w-]+)\.(?:(.*)\.)?([\w-]+)$/s.exec(exactText(key) ?? '') ?? []
  if (section === '' || value === undefined || value.forms.length > FORMS_MAX) return
  const quoted = subsection === undefined ? '' : ` "${subsection.replace(/[\\"]/g, '\\$&')}"`
  const head = `\n[${section}${quoted}]\n\t${name} = `
  const forms = value.forms.map((form) => {
    const text = exactForm(form)
    return text === undefined
      ? concatForms([textPiece(head)], form)
      : [textPiece(`${head}${escaped(text)}\n`)]
  })
  const file = fileOf(read, call.cwd, shell)
  if (file !== undefined) putFile(shell, file, { kind: 'text', forms }, true)
}

const FORMS_MAX = 4

function escaped(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`
}

function fileOf(read: ReturnType<typeof readOptions>, cwd: string, shell: Shell): Word | undefined {
  const [named] = valuesOf(read, 'file')
  const has = (scope: string) => read.options.some(({ name }) => name === scope)
  if (named !== undefined) {
    const path = exactText(named)
    return path === undefined ? undefined : exactWord(resolvePath(path, { cwd, home: shell.home }) ?? path)
  }
  if (has('system')) return exactWord('/etc/gitconfig')
  if (has('global')) return exactWord(`${shell.home}/.gitconfig`)
  return exactWord(`${gitRepositoryAt(cwd, readIn(shell))?.folder ?? `${cwd}/.git`}/config`)
}

/** An alias as a command: `alias.x=stash -u`, and in its newer form `alias.x.command`. */
export function aliasIn(verb: string, entries: readonly GitEntry[]): string | undefined {
  const keys = new Set([`alias.${verb.toLowerCase()}`, `alias.${verb}.command`])
  return entries.findLast(({ key }) => keys.has(key))?.value
}
