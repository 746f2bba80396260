import { optionTable, readOptions } from '../arguments/options.ts'
import { type GitCall, readGit } from '../git.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { type ShellEffect, unsureOf } from '../vocabulary/effect.ts'
import { mayMatch } from '../words/patterns.ts'
import { exactTexts, exactWord, type Word } from '../words/words.ts'
import { REWRITE_HISTORY } from './git/acts.ts'
import { gitCases } from './git/cases.ts'
import { checkout, checkoutIndex, readTree, restoreVerb, switchBranch } from './git/checkout.ts'
import { callSettings, gitConfig, opener, variableSettings } from './git/config.ts'
import { cleanVerb, remove, reset, stash, submodule, worktree } from './git/discard.ts'
import {
  collectGarbage,
  commit,
  fastImport,
  filterBranch,
  filterRepo,
  largeFiles,
  pruneVerb,
  rebase,
} from './git/history.ts'
import { push } from './git/push.ts'
import { branch, fetchedRefs, reflog, symbolicRef, tag, updateRef } from './git/refs.ts'
import { transport } from './git/transport.ts'
import { unknownSince, type Verb } from './git/verb.ts'
import type { Model, ModelCases } from './model.ts'

/** What each git command does, where that can lose something or run something. */
const VERBS: ReadonlyMap<string, readonly Verb[]> = new Map(
  Object.entries({
    archive: [transport('archive')],
    branch: [branch],
    checkout: [checkout],
    'checkout-index': [checkoutIndex],
    clean: [cleanVerb],
    clone: [transport('clone')],
    commit: [commit],
    config: [gitConfig],
    difftool: [opener],
    'fast-import': [fastImport],
    fetch: [fetchedRefs, transport('fetch')],
    'fetch-pack': [transport('fetch')],
    'filter-branch': [filterBranch],
    'filter-repo': [filterRepo],
    gc: [collectGarbage],
    grep: [opener],
    init: [transport('clone')],
    lfs: [largeFiles],
    'ls-remote': [transport('fetch')],
    prune: [pruneVerb],
    pull: [fetchedRefs, transport('fetch')],
    push: [push, transport('push')],
    'read-tree': [readTree],
    rebase: [rebase],
    reflog: [reflog],
    remote: [transport('fetch')],
    reset: [reset],
    restore: [restoreVerb],
    rm: [remove],
    'send-pack': [push, transport('push')],
    stash: [stash],
    submodule: [submodule, transport('fetch')],
    switch: [switchBranch],
    'symbolic-ref': [symbolicRef],
    tag: [tag],
    'update-ref': [updateRef],
    worktree: [worktree],
  } satisfies Record<string, readonly Verb[]>),
)

/** Each is also a program of its own: `/usr/lib/git-core/git-reset`. */
const DASHED = [...VERBS.keys()].map((verb) => `git-${verb}`)

/** git and its relatives. Written in capitals it is git only on a disk that does not tell them apart. */
export const git: Model = {
  programs: ['git', 'git.exe', 'GIT', 'Git', 'bfg', ...DASHED],
  effects({ name, command, home }) {
    if (name === 'bfg') return isQuestion(command.args) ? [] : [REWRITE_HISTORY]
    const args = name === name.toLowerCase() ? command.args : command.args.map(inSmallLetters)
    const words = name.startsWith('git-') ? [exactWord(name.slice('git-'.length)), ...args] : args
    const effects = gitEffects(readGit(words, { cwd: command.cwd, home }), command, home)
    return args === command.args
      ? effects
      : unsureOf(effects, 'not every disk tells capitals from small letters')
  },
}

export const cases: ModelCases = [...gitCases, ...DASHED.map((program) => [`${program} --help`] as const)]

function gitEffects(call: GitCall, command: SimpleCommand, home: string): readonly ShellEffect[] {
  if (call.inert) return []
  const settings = callSettings(call, command, home)
  if (call.verb === undefined) return settings
  return [...settings, ...verbEffects(call, call.verb, command, home)]
}

function verbEffects(
  call: GitCall,
  verb: Word,
  command: SimpleCommand,
  home: string,
): readonly ShellEffect[] {
  const { args, cwd } = call
  const withVariables = [...call.config, ...variableSettings(command)]
  const run = (name: string): readonly ShellEffect[] =>
    VERBS.get(name)?.flatMap((each) => each({ args, config: withVariables, command, cwd, home })) ?? []
  const known = exactTexts(verb)
  if (known.includes('for-each-repo')) return inEveryRepository(call, command, home)
  if (known.length > 0) return known.flatMap(run)
  // Any command that the text may turn out to be.
  const possible = [...VERBS.keys()].filter((name) => verb.forms.some((form) => mayMatch(form, name)))
  return unsureOf([...new Set(possible.flatMap(run))], unknownSince(verb))
}

/** `git for-each-repo --config=list reset --hard`: the command behind its options, in other folders. */
function inEveryRepository(call: GitCall, command: SimpleCommand, home: string): readonly ShellEffect[] {
  const [verb, ...args] = readOptions(call.args, optionTable('config= keep-going'), ONLY_FIRST).operands
  return verb === undefined ? [] : verbEffects({ ...call, args, cwd: undefined }, verb, command, home)
}

const ONLY_FIRST = { stopAtOperand: true }

function isQuestion(args: readonly Word[]): boolean {
  return (
    args.length === 0 ||
    args.some((word) => exactTexts(word).some((text) => /^--?(help|version|h)$/.test(text)))
  )
}

/** Short options keep their meaning only as they are. */
function inSmallLetters(word: Word): Word {
  const lower = (text: string): string => (/^-[^-]/.test(text) ? text : text.toLowerCase())
  const forms = word.forms.map((form) =>
    form.map((piece) => (piece.kind === 'text' ? { ...piece, text: lower(piece.text) } : piece)),
  )
  return { ...word, forms }
}
