import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { VariableScope } from '../../expand/scope.ts'
import type { Shell } from '../../expand/state.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { type ShellEffect, unsureOf } from '../../vocabulary/effect.ts'
import { mayMatch } from '../../words/patterns.ts'
import {
  exactText,
  exactTexts,
  exactWord,
  type Form,
  textForm,
  unknownWord,
  type Word,
} from '../../words/words.ts'
import { copyFolder, leavesCopies } from '../files/placing.ts'
import { program } from '../program.ts'
import { ANY_NAME } from '../system/machine.ts'
import { REWRITE_HISTORY } from './acts.ts'
import { type GitCall, readGit, readGitOptions } from './call.ts'
import { checkout, checkoutIndex, readTree, restoreVerb, switchBranch } from './checkout.ts'
import { callSettings, gitConfig, opener, variableSettings } from './config.ts'
import { cleanVerb, remove, reset, stash, submodule, worktree } from './discard.ts'
import { filesOfGit } from './files.ts'
import {
  collectGarbage,
  commit,
  fastImport,
  filterBranch,
  filterRepo,
  largeFiles,
  pruneVerb,
  rebase,
} from './history.ts'
import { keepsSetting } from './kept-settings.ts'
import { addMirror, push } from './push.ts'
import { branch, fetchedRefs, reflog, symbolicRef, tag, updateRef } from './refs.ts'
import { startedByGit } from './starts.ts'
import { transport } from './transport.ts'
import { unknownSince, type Verb } from './verb.ts'
import { workTreeOf } from './work-tree.ts'

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
    remote: [addMirror, transport('fetch')],
    reset: [reset],
    restore: [restoreVerb],
    rm: [remove],
    'send-pack': [push, transport('push')],
    stash: [stash],
    submodule: [submodule, transport('fetch')],
    'submodule--helper': [submodule, transport('fetch')],
    switch: [switchBranch],
    'symbolic-ref': [symbolicRef],
    tag: [tag],
    'update-ref': [updateRef],
    worktree: [worktree],
  } satisfies Record<string, readonly Verb[]>),
)

export const git = program('git', {
  does: ({ command, home }) => calledAs(command.args, command, home),
  starts: startedByGit,
  namesFiles: ({ args, cwd }, home) => filesOfGit(readGit(args, { cwd, home })),
  entersFolder: (args) => valuesOf(readGitOptions(args), 'C'),
  readsText: (args) => (args.some((word) => /^(?:apply|am)$/.test(word.source)) ? args.map(patchFile) : []),
  listsIn: listsFiles,
  prints: printed,
  credentials: [
    ['a git password', /^credential(-\w+)? (fill|get)\b/],
    ['a git password', /^config (get )?\S*extraheader$/i],
  ],
  leaves,
  // `git bundle create - --all`, `git archive HEAD`: everything that is in version control.
  packs: { when: packsHistory, folder: true },
})

/** Each git command is also a program of its own: `/usr/lib/git-core/git-reset`. */
export const gitCommands = program([...VERBS.keys()].map((verb) => `git-${verb}`).join(' '), {
  does: ({ name, command, home }) =>
    calledAs([exactWord(name.slice('git-'.length)), ...command.args], command, home),
})

/** Written in capitals it is git only on a disk that does not tell them apart. */
export const gitShouted = program('GIT Git', {
  does: ({ command, home }) =>
    unsureOf(
      calledAs(command.args.map(inSmallLetters), command, home),
      'not every disk tells capitals from small letters',
    ),
})
export const gitExe = program('git.exe', {
  does: ({ command, home }) => calledAs(command.args, command, home),
})

export const bfg = program('bfg', {
  does: ({ command: { args } }) => {
    const asks = args.some((word) => exactTexts(word).some((text) => /^--?(help|version|h)$/.test(text)))
    return args.length === 0 || asks ? [] : [REWRITE_HISTORY]
  },
})

function calledAs(words: readonly Word[], command: SimpleCommand, home: string): readonly ShellEffect[] {
  const call = readGit(words, { cwd: command.cwd, home })
  if (call.inert) return []
  const settings = callSettings(call, command, home)
  return call.verb === undefined ? settings : [...settings, ...verbEffects(call, call.verb, command, home)]
}

function verbEffects(
  call: GitCall,
  verb: Word,
  command: SimpleCommand,
  home: string,
): readonly ShellEffect[] {
  const { args, cwd } = call
  const withVariables = [...call.config, ...variableSettings(command)]
  const tree = workTreeOf(call.workTree, command, withVariables)
  const run = (name: string): readonly ShellEffect[] =>
    VERBS.get(name)?.flatMap((each) => each({ args, config: withVariables, command, tree, cwd, home })) ?? []
  const known = exactTexts(verb)
  if (known.includes('for-each-repo')) return inEveryRepository(call, command, home)
  if (known.length > 0) return known.flatMap(run)
  // Any command that the text may turn out to be.
  const possible = [...VERBS.keys()].filter((name) => verb.forms.some((form) => mayMatch(form, name)))
  return unsureOf([...new Set(possible.flatMap(run))], unknownSince(verb))
}

/** `git for-each-repo --config=list reset --hard`: the command behind its options, in other folders. */
function inEveryRepository(call: GitCall, command: SimpleCommand, home: string): readonly ShellEffect[] {
  const [verb, ...args] = readOptions(call.args, 'config= keep-going', ONLY_FIRST).operands
  // Which folders those are, a setting says.
  const workTree = call.workTree ?? unknownWord('each repository')
  return verb === undefined
    ? []
    : verbEffects({ ...call, args, workTree, cwd: undefined }, verb, command, home)
}

const ONLY_FIRST = { stopAtOperand: true }

/** Short options keep their meaning only as they are. */
function inSmallLetters(word: Word): Word {
  const lower = (text: string): string => (/^-[^-]/.test(text) ? text : text.toLowerCase())
  const forms = word.forms.map((form) =>
    form.map((piece) => (piece.kind === 'text' ? { ...piece, text: lower(piece.text) } : piece)),
  )
  return { ...word, forms }
}

/** `patch -i x.patch`, `git apply x.patch`. */
export function patchFile(word: Word): Word {
  const attached = /^(?:-i|--input=)(.+)$/s.exec(exactText(word) ?? '')?.[1]
  return attached === undefined ? word : exactWord(attached)
}

/** `git grep -l x` */
function listsFiles(args: readonly Word[]): readonly Word[] | undefined {
  const texts = args.map((word) => exactText(word) ?? '')
  if (texts[0] !== 'grep' || !texts.some((text) => LISTS_NAMES.test(text))) return undefined
  return args.filter((word) => !/^-/.test(exactText(word) ?? '')).slice(2)
}

/** The options with which a search prints names, not lines. */
export const LISTS_NAMES = /^-[a-zA-Z]*[lL]|^--files-with(?:out)?-match(?:es)?$|^--files$/

const BRANCH_OR_COMMIT =
  /^(branch --show-current|rev-parse (--short(=\d+)? |--verify |--abbrev-ref )?HEAD|symbolic-ref (-q )?--short HEAD)$/

function printed(args: readonly Word[], scope: VariableScope): readonly Form[] | undefined {
  const words = args.map((word) => exactText(word) ?? '?').join(' ')
  // The folder we are in is as good a guess as any, and the right one for whoever is at the top.
  if (words === 'rev-parse --show-toplevel')
    return scope.cwd === undefined ? undefined : [textForm(scope.cwd)]
  return BRANCH_OR_COMMIT.test(words) ? [ANY_NAME] : undefined
}

/** `git mv a b`, `git clone . copy`, `git worktree add copy` */
function leaves(args: readonly Word[], shell: Shell): void {
  keepsSetting(args, shell)
  if (shell.files.size === 0) return
  const verb = args.findIndex((word) => /^(?:mv|clone|worktree)$/.test(exactText(word) ?? ''))
  const rest = args.slice(verb + 1)
  const operands = rest.filter((word) => !(exactText(word) ?? '').startsWith('-'))
  const [first, second] = operands
  const does = verb < 0 ? '' : exactText(args[verb])
  if (does === 'mv') leavesCopies(rest, shell)
  if (first === undefined || second === undefined) return
  if (does === 'clone') copyFolder(first, second, shell)
  if (does === 'worktree' && exactText(first) === 'add') copyFolder(exactWord('.'), second, shell)
}

function packsHistory({ args }: SimpleCommand): boolean {
  const texts = args.map((word) => exactText(word) ?? '')
  const bundles = texts.includes('bundle') && texts.includes('create')
  return bundles || (texts.includes('archive') && !texts.some((word) => /^(-o|--output|--remote)/.test(word)))
}
