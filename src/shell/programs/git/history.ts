import { valuesOf } from '../../arguments/options.ts'
import { unsureOf } from '../../vocabulary/effect.ts'
import { exactForm, exactText, type Word } from '../../words/words.ts'
import { AMEND, PRUNE_NOW, REBASE, REWRITE_HISTORY } from './acts.ts'
import {
  type GitVerbCall,
  gitSettingOf,
  isAny,
  isUnknown,
  readVerb,
  unknownSince,
  type Verb,
} from './verb.ts'

/** The commands that replace commits, or throw away those that no branch holds. */

const COMMIT = `
  m|message= F|file= C|reuse-message= c|reedit-message= t|template= author= date= fixup= squash= trailer=
  cleanup= S|gpg-sign=? u|untracked-files=? a|all amend pathspec-from-file= pathspec-file-nul dry-run
  n|no-verify e|edit s|signoff q|quiet v|verbose p|patch i|include o|only allow-empty allow-empty-message
  no-post-rewrite reset-author status short branch ahead-behind porcelain long z|null interactive
`

export const commit: Verb = ({ args }) => {
  const read = readVerb(args, COMMIT)
  return !read.help && read.may('amend') && !read.surely('dry-run') ? [AMEND] : []
}

const REBASE_OPTIONS = `
  onto= x|exec= s|strategy= X|strategy-option= C= whitespace= S|gpg-sign=? empty= continue abort quit skip
  edit-todo show-current-patch i|interactive root autosquash autostash keep-base r|rebase-merges=? update-refs
  f|force-rebase n|no-stat
`
const RUNNING = ['continue', 'abort', 'quit', 'skip', 'edit-todo', 'show-current-patch']

export const rebase: Verb = ({ args }) => {
  const read = readVerb(args, REBASE_OPTIONS)
  return read.help || read.surely(...RUNNING) ? [] : [REBASE]
}

export const filterBranch: Verb = ({ args }) => (isHelpFirst(args) ? [] : [REWRITE_HISTORY])

export const filterRepo: Verb = ({ args }) => {
  const read = readVerb(args, 'analyze dry-run f|force version path= paths-from-file=')
  return read.help || isHelpFirst(args) || read.surely('analyze', 'dry-run', 'version')
    ? []
    : [REWRITE_HISTORY]
}

export const fastImport: Verb = ({ args }) => {
  return readVerb(args, 'force quiet stats').may('force') ? [REWRITE_HISTORY] : []
}

/** `git lfs migrate` moves files out of commits that exist. */
export const largeFiles: Verb = ({ args }) => {
  const read = readVerb(args, 'I|include= X|exclude= above= everything fixup yes')
  const [first, second] = read.operands
  if (read.help || first === undefined || second === undefined) return []
  return isAny(first, ['migrate']) && isAny(second, ['import', 'export']) ? [REWRITE_HISTORY] : []
}

const GC = 'aggressive auto prune=? q|quiet force keep-largest-pack cruft max-cruft-size= detach expire-to='

export const collectGarbage: Verb = (call) => {
  const read = readVerb(call.args, GC)
  const kept = read.options.findLast(({ name }) => name === 'prune' || name === 'no-prune')
  if (read.help || (kept?.name === 'no-prune' && !read.varies)) return []
  return prunedBy(kept?.value ?? gitSettingOf(call, 'gc.pruneexpire'))
}

const PRUNE = 'n|dry-run v|verbose progress expire= exclude-promisor-objects'

export const pruneVerb: Verb = (call: GitVerbCall) => {
  const read = readVerb(call.args, PRUNE)
  if (read.help || read.surely('dry-run')) return []
  const expire = valuesOf(read, 'expire').at(-1)
  return expire === undefined ? [PRUNE_NOW] : prunedBy(expire)
}

/** What is old by weeks nobody looks for any more; what is young may be the only copy of lost work. */
const OLD = /^(never|false)$|\b[1-9]\d*[.\s_-]*(day|week|month|year)|^(yesterday|last\b)|^(19|20)\d\d[-./]/i

function prunedBy(expire: Word | undefined) {
  if (expire === undefined) return []
  if (isUnknown(expire)) return unsureOf([PRUNE_NOW], unknownSince(expire))
  return expire.forms.every((form) => OLD.test(exactForm(form) ?? '')) ? [] : [PRUNE_NOW]
}

function isHelpFirst(args: readonly Word[]): boolean {
  return ['-h', '--help'].includes(exactText(args[0]) ?? '')
}
