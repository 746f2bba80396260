import { wordList } from '../../../core/word-list.ts'
import { unsureOf } from '../../vocabulary/effect.ts'
import { CLEAN, DROP_STASH, FORCE_SUBMODULE, HARD_RESET, REMOVE_FILES, REMOVE_WORKTREE } from './acts.ts'
import { gitSettingOf, isAny, isFalse, isUnknown, readVerb, unknownSince, type Verb } from './verb.ts'
import { emptiesTree } from './work-tree.ts'

/** The commands by which work that is not committed gets lost: reset, clean, stash, rm, worktree, submodule. */

const RESET = `
  soft mixed hard merge keep q|quiet N|intent-to-add p|patch refresh recurse-submodules=? pathspec-from-file=
  pathspec-file-nul U|unified= inter-hunk-context=
`
const MODES = ['soft', 'mixed', 'hard', 'merge', 'keep']

export const reset: Verb = ({ args }) => {
  const read = readVerb(args, RESET)
  if (read.help) return []
  const last = read.options.findLast(({ name }) => MODES.includes(name))?.name ?? 'mixed'
  if (read.varies ? read.may('hard', 'merge') : ['hard', 'merge'].includes(last)) return [HARD_RESET]
  return read.open === undefined ? [] : unsureOf([HARD_RESET], unknownSince(read.open))
}

const CLEAN_OPTIONS = 'f|force n|dry-run i|interactive d x X q|quiet e|exclude='

export const cleanVerb: Verb = (call) => {
  const read = readVerb(call.args, CLEAN_OPTIONS)
  if (read.help || read.surely('dry-run')) return []
  const asked = read.surely('interactive')
  if (asked) return call.command.inputs?.some(({ name }) => name === 'yes') === true ? [CLEAN] : []
  const required = gitSettingOf(call, 'clean.requireforce')
  if (read.may('force') || (required !== undefined && isFalse(required))) return [CLEAN]
  const doubt = read.open ?? (required !== undefined && isUnknown(required) ? required : undefined)
  return doubt === undefined ? [] : unsureOf([CLEAN], unknownSince(doubt))
}

export const stash: Verb = (call) => {
  const [action, ...rest] = call.args
  if ([call.args, rest].some((words) => readVerb(words, 'q|quiet').help)) return []
  if (action === undefined) return emptiesTree(call)
  if (isAny(action, ['drop', 'clear'])) return [DROP_STASH]
  if (isUnknown(action)) return unsureOf([DROP_STASH], unknownSince(action))
  return isAny(action, KEEPS_FILES) ? [] : emptiesTree(call)
}

const KEEPS_FILES = wordList('list show pop apply branch create store export import')

const REMOVE =
  'f|force n|dry-run r cached ignore-unmatch sparse q|quiet pathspec-file-nul pathspec-from-file='

export const remove: Verb = ({ args }) => {
  const read = readVerb(args, REMOVE)
  if (read.help || read.surely('cached', 'dry-run')) return []
  if (read.may('force')) return [REMOVE_FILES]
  // Alone it is the file: without force git refuses to lose anything.
  const doubt = read.operands.length > 1 ? read.open : undefined
  return doubt === undefined ? [] : unsureOf([REMOVE_FILES], unknownSince(doubt))
}

const WORKTREE = `
  f|force b= B= d|detach checkout lock reason= q|quiet track n|dry-run expire= v|verbose porcelain z orphan
  guess-remote relative-paths
`

export const worktree: Verb = ({ args }) => {
  const read = readVerb(args, WORKTREE)
  const [action] = read.operands
  if (read.help || action === undefined) return []
  if (isAny(action, ['remove']) && read.may('force')) return [REMOVE_WORKTREE]
  return isUnknown(action) && read.may('force') ? unsureOf([REMOVE_WORKTREE], unknownSince(action)) : []
}

const SUBMODULE = `
  f|force q|quiet cached all init recursive remote N|no-fetch rebase merge checkout b|branch= name= reference=
  depth= j|jobs= n|summary-limit= filter=
`

export const submodule: Verb = ({ args }) => {
  const read = readVerb(args, SUBMODULE)
  const [action] = read.operands
  if (read.help || action === undefined || !isAny(action, ['deinit', 'update', 'checkout'])) return []
  return read.may('force') ? [FORCE_SUBMODULE] : []
}
