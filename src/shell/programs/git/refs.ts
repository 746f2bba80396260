import { unsureOf } from '../../vocabulary/effect.ts'
import { exactText, exactWord } from '../../words/words.ts'
import { DELETE_BRANCH, DELETE_REF, DROP_STASH, EXPIRE_REFLOG, MOVE_BRANCH, MOVE_TAG } from './acts.ts'
import { isAny, isTrunk, isUnknown, readVerb, unknownSince, type Verb } from './verb.ts'

/** The commands that delete or move names: branch, tag, update-ref, symbolic-ref, reflog. */

const BRANCH = `
  d|delete D m|move M c|copy C f|force r|remotes a|all l|list v|verbose q|quiet t|track=? u|set-upstream-to=
  unset-upstream edit-description contains=? merged=? sort= points-at= format= color=? column=? abbrev=?
  show-current i|ignore-case create-reflog recurse-submodules omit-empty
`

export const branch: Verb = ({ args }) => {
  const read = readVerb(args, BRANCH)
  if (read.help) return []
  const forced = read.may('force')
  if (read.may('D') || (read.may('delete') && forced)) return [DELETE_BRANCH]
  if (read.surely('delete', 'list', 'all', 'remotes', 'show-current', 'move', 'M')) return []
  if (forced || read.may('C')) return [MOVE_BRANCH]
  const isOpen = read.open !== undefined && read.open === args[0] && read.open.splits
  return isOpen && read.open !== undefined ? unsureOf([DELETE_BRANCH], unknownSince(read.open)) : []
}

const TAG = `
  a|annotate s|sign u|local-user= f|force d|delete v|verify m|message= F|file= e|edit cleanup= l|list n=?
  sort= contains=? merged=? points-at= format= column=? color=? i|ignore-case create-reflog trailer=
`

export const tag: Verb = ({ args }) => {
  const read = readVerb(args, TAG)
  return !read.help && read.may('delete', 'force') ? [MOVE_TAG] : []
}

const UPDATE_REF = 'd m= no-deref create-reflog stdin z'

export const updateRef: Verb = ({ args }) => {
  const read = readVerb(args, UPDATE_REF)
  if (read.help) return []
  if (read.may('d'))
    return [read.operands.some((ref) => isAny(ref, ['refs/stash'])) ? DROP_STASH : DELETE_REF]
  if (read.may('stdin')) return unsureOf([DELETE_REF], 'it reads what to do from its input')
  const [ref] = read.operands
  if (read.open !== undefined && read.open === ref) return unsureOf([DELETE_REF], unknownSince(ref))
  return ref !== undefined && isTrunk(ref) ? [MOVE_BRANCH] : []
}

const FETCH = 'f|force upload-pack= o|server-option= depth= j|jobs= u|update-head-ok'

/** `git fetch origin +main:main`: the branch here is moved to what is there, whatever it holds. */
export const fetchedRefs: Verb = ({ args }) => {
  const read = readVerb(args, FETCH)
  if (read.help) return []
  const forced = read.operands.slice(1).some((word) => {
    const [, plus, from = '', to = ''] = /^(\+?)([^:]*):(.+)$/.exec(exactText(word) ?? '') ?? []
    if (plus !== '+' && !read.may('force')) return false
    return isTrunk(exactWord(to)) || (from !== '' && branchOf(from) === branchOf(to))
  })
  return forced ? [MOVE_BRANCH] : []
}

/** `refs/heads/*` is every branch of its own name; what goes to `refs/remotes` moves none of ours. */
function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '')
}

const SYMBOLIC_REF = 'd|delete q|quiet short recurse m='

export const symbolicRef: Verb = ({ args }) => {
  const read = readVerb(args, SYMBOLIC_REF)
  return !read.help && read.may('delete') ? [DELETE_REF] : []
}

const REFLOG =
  'expire= expire-unreachable= updateref rewrite stale-fix n|dry-run all v|verbose single-worktree'

export const reflog: Verb = ({ args }) => {
  const [action, ...rest] = args
  if (action === undefined) return []
  const read = readVerb(rest, REFLOG)
  if (read.help || read.surely('dry-run')) return []
  if (isAny(action, ['expire', 'delete', 'drop'])) return [EXPIRE_REFLOG]
  return isUnknown(action) ? unsureOf([EXPIRE_REFLOG], unknownSince(action)) : []
}
