import { wordSet } from '../../../core/word-list.ts'
import { readOptions } from '../../../shell/arguments/options.ts'
import type { GitCall, GitSetting } from '../../../shell/programs/git/call.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { exactText, type Word } from '../../../shell/words/words.ts'

/** How hooks are skipped: the end of a sentence after "with". */
export interface Bypass {
  readonly what: string
  readonly unsure?: string
}

/** Subcommands that run no hooks. Any other unknown subcommand is an alias. */
const PLAIN = wordSet(`
  add apply archive bisect blame branch cat-file check-ignore checkout clean clone config describe diff fetch
  for-each-ref format-patch gc grep help init log ls-files ls-remote ls-tree merge-base mv notes reflog remote
  reset restore rev-list rev-parse rm shortlog show show-ref sparse-checkout stash status submodule switch tag
  update-index version worktree fsck prune
`)

export function runsHooks({ verb }: GitCall): boolean {
  return !PLAIN.has(exactText(verb) ?? '')
}

export function bypassByGit(call: GitCall): Bypass | undefined {
  const verb = exactText(call.verb)
  if (call.config.some(({ key, value }) => key.startsWith('alias.') && SKIPS.test(exactText(value) ?? ''))) {
    return { what: 'an alias with `--no-verify`' }
  }
  if (verb === 'config') return configBypass(call.args)
  if (!runsHooks(call)) return undefined
  if (verb === 'commit-tree') return { what: 'a commit made with `commit-tree`' }
  if (call.config.some(movesHooks)) return { what: 'another `core.hooksPath`' }
  return optionBypass(verb ?? '', call.args)
}

const MESSAGE = `
  m|message= F|file= C|reuse-message= c|reedit-message= t|template= author= date= fixup= squash= trailer=
  cleanup= pathspec-from-file= S|gpg-sign=? u|untracked-files=?
`

const VALUES = [
  MESSAGE,
  `
    s|strategy= X|strategy-option= onto= x|exec= o|push-option= repo= receive-pack= into-name= n verify
    no-verify verbose verify-signatures a|all v q|quiet e|edit amend
  `,
].join(' ')
/** `-s` and `-S` have other meanings for `git commit`. */
const COMMIT = [MESSAGE, 'n verify no-verify verbose a|all s|signoff v q|quiet e|edit amend p|patch'].join(
  ' ',
)

function optionBypass(verb: string, args: readonly Word[]): Bypass | undefined {
  const read = readOptions(args, verb === 'commit' ? COMMIT : VALUES)
  const short = verb === 'commit' || verb === 'am'
  const last = read.options.findLast(({ name }) => {
    return isNoVerify(name) || name === 'verify' || (short && name === 'n')
  })
  if (last !== undefined && last.name !== 'verify') {
    return { what: last.name === 'n' ? '`-n`' : '`--no-verify`' }
  }
  const doubtful =
    verb === 'commit' ? read.doubtful.find((word) => word.splits && isLoose(word, args)) : undefined
  return doubtful === undefined
    ? undefined
    : { what: 'options', unsure: `the value of ${doubtful.source} is known only at run time` }
}

/** Git accepts a long option that is shortened, as long as it is unique. */
function isNoVerify(name: string): boolean {
  return name.length >= 'no-veri'.length && 'no-verify'.startsWith(name)
}

/** A separate option, not the value of the option before it. */
function isLoose(word: Word, args: readonly Word[]): boolean {
  const before = exactText(args[args.indexOf(word) - 1]) ?? ''
  return !/^(?:-\w*[mFCct]|--[a-z-]+)$/.test(before) && !args.some((each) => exactText(each) === '--')
}

/** Hooks in a folder of the project are not a way around them. */
const OWN_HOOKS = /^(?:\.\/)?(?:\.husky(?:\/_)?|\.?githooks|\.git\/hooks|\.?git-hooks|hooks|\.hooks)\/?$/

function movesHooks({ key, value }: GitSetting): boolean {
  return key === 'core.hookspath' && !OWN_HOOKS.test(exactText(value) ?? '')
}

/** An alias that skips hooks. */
const SKIPS = /\s--no-verif?y?(?:\s|$)|^!?(?:git\s+)?commit\s(?:.*\s)?-[a-z]*n[a-z]*(?:\s|$)/

const CONFIG = `
  f|file= blob= t|type= default= value= comment= global system local worktree get get-all get-regexp l|list
  unset unset-all add replace-all e|edit
`

function configBypass(args: readonly Word[]): Bypass | undefined {
  const read = readOptions(args, CONFIG)
  const asks = read.options.some(({ name }) => /^(?:get|get-all|get-regexp|list)$/.test(name))
  const words = read.operands.map((word) => exactText(word) ?? word.source)
  const alias = words.findIndex((word) => /^alias\./i.test(word))
  if (alias >= 0 && SKIPS.test(words[alias + 1] ?? '')) return { what: 'an alias with `--no-verify`' }
  const at = words.findIndex((word) => /^core\.hookspath$/i.test(word))
  if (at < 0 || asks || words[0] === 'get') return undefined
  const value = words[at + 1]
  const unsets = words[0] === 'unset' || read.options.some(({ name }) => name.startsWith('unset'))
  if (!unsets && (value === undefined || OWN_HOOKS.test(value))) return undefined
  return { what: 'a change of `core.hooksPath`' }
}

/** Programs that commit or push for the user, and hook managers that can uninstall themselves. */
const COMMITTERS = wordSet(`
  standard-version commit-and-tag-version gt cz git-cz aicommits opencommit oco release-it lerna changeset
  git-town czg gitmoji
`)
const MANAGERS = new Set(['pre-commit', 'husky', 'lefthook', 'overcommit', 'simple-git-hooks', 'prek'])

export function bypassByOther({ name = '', args }: SimpleCommand): Bypass | undefined {
  const words = args.map((word) => exactText(word) ?? '')
  const runner = /^(?:npx|bunx|pnpx|pnpm|yarn|npm|bun)$/.test(name)
  const programs = [name, ...(runner ? words.slice(0, 4) : [])].map((each) =>
    each.replace(/(?<=.)@[^/]*$/, ''),
  )
  if (words.some((word) => word === '--no-verify') && programs.some((each) => COMMITTERS.has(each))) {
    return { what: '`--no-verify`' }
  }
  if (programs.some((each) => MANAGERS.has(each)) && words.includes('uninstall'))
    return { what: 'uninstalling the hook manager' }
  const isVersion = /^(?:npm|pnpm|yarn|lerna)$/.test(name) && words.includes('version')
  const skips = words.some((word) => /^--(?:no-commit-hooks|commit-hooks=false|no-git-hooks)$/.test(word))
  return isVersion && skips ? { what: '`--no-commit-hooks`' } : undefined
}
