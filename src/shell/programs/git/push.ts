import { type Option, readOptions, valuesOf } from '../../arguments/options.ts'
import { unsureOf } from '../../vocabulary/effect.ts'
import { exactForm, exactText, type Word } from '../../words/words.ts'
import { DELETE_REMOTE, DELETE_TRUNK, FORCE_PUSH, FORCE_REF, MIRROR, PRUNE_REMOTE } from './acts.ts'
import {
  type GitOptions,
  type GitVerbCall,
  isTrunk,
  knownPrefix,
  readVerb,
  unknownSince,
  type Verb,
} from './verb.ts'

const PUSH = `
  repo= receive-pack= exec= recurse-submodules= o|push-option= force-with-lease=? f|force force-if-includes
  n|dry-run d|delete mirror prune all branches tags follow-tags u|set-upstream v|verbose q|quiet porcelain
  progress thin atomic verify 4|ipv4 6|ipv6 signed=?
`

/**
 * A lease protects only what `--force` and `+ref` leave to it: git lets both defeat it. Dry runs send nothing, and a
 * later `--no-force` takes `--force` back.
 */
export const push: Verb = (call) => {
  const read = readVerb(call.args, PUSH)
  if (read.help || read.surely('dry-run')) return []
  const refs = valuesOf(read, 'repo').length > 0 ? read.operands : read.operands.slice(1)
  if (read.may('mirror') || setsMirror(call)) return [MIRROR]
  if (read.may('force')) return [FORCE_PUSH]
  // No remote begins with a plus, so it is a ref even where the remote was left out.
  if (starts(read.operands, /^\+/) || setsForcedRef(call)) return [FORCE_REF]
  if (read.may('prune')) return [PRUNE_REMOTE]
  const deleted = read.may('delete') ? refs : refs.filter(isDeletion)
  if (read.may('delete') || deleted.length > 0) return [deleted.some(isTrunk) ? DELETE_TRUNK : DELETE_REMOTE]
  return doubts(read)
}

function doubts(read: GitOptions) {
  if (read.options.some(isCutForce)) {
    return unsureOf([FORCE_PUSH], 'some versions of git take it for --force')
  }
  return read.open === undefined ? [] : unsureOf([FORCE_PUSH], unknownSince(read.open))
}

function starts(refs: readonly Word[], pattern: RegExp): boolean {
  return refs.some((ref) => ref.forms.some((form) => pattern.test(knownPrefix(form))))
}

/** `:ref` pushes nothing to it; `:` alone is every branch both sides have. */
function isDeletion(ref: Word): boolean {
  return ref.forms.some((form) => knownPrefix(form).startsWith(':') && exactForm(form) !== ':')
}

/** `--forc`: ambiguous to a git that knows leases, `--force` to one that does not. */
function isCutForce(option: Option): boolean {
  return !option.listed && option.name.length > 1 && 'force'.startsWith(option.name)
}

function setsMirror(call: GitVerbCall): boolean {
  return call.config.some(({ key, value }) => {
    return /^remote\..*\.mirror$/.test(key) && value.forms.some((form) => knownPrefix(form) !== 'false')
  })
}

/** The refs that are pushed when none is named. */
function setsForcedRef(call: GitVerbCall): boolean {
  return call.config.some(({ key, value }) => /^remote\..*\.push$/.test(key) && starts([value], /^\+/))
}

/** `git remote add --mirror=push name url`: every push to it deletes there what is missing here. */
export const addMirror: Verb = ({ args }) => {
  const [action, ...rest] = args
  if (exactText(action) !== 'add') return []
  const kinds = valuesOf(readOptions(rest, 't= m= f tags no-tags mirror=?'), 'mirror').map(exactText)
  const alone = rest.some((word) => exactText(word) === '--mirror')
  return alone || kinds.some((kind) => kind !== 'fetch') ? [MIRROR] : []
}
