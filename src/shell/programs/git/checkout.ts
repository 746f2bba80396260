import { valuesOf } from '../../arguments/options.ts'
import { unsureOf } from '../../vocabulary/effect.ts'
import { exactForm, exactText, type Word } from '../../words/words.ts'
import { DISCARD_CHANGES, MOVE_BRANCH } from './acts.ts'
import { type GitOptions, isTrunk, isUnknown, readVerb, tellsRef, unknownSince, type Verb } from './verb.ts'

/** The commands that put contents of the repository over the files: checkout, switch, restore and their plumbing. */

const CHECKOUT = `
  b= B= orphan= l d|detach t|track=? guess q|quiet progress f|force m|merge conflict= p|patch 2|ours 3|theirs
  ignore-other-worktrees overlay ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul
  recurse-submodules=? U|unified= inter-hunk-context= overwrite-ignore
`

export const checkout: Verb = ({ args, command }) => {
  const read = readVerb(args, CHECKOUT)
  if (read.help) return []
  if (read.may('force')) return [DISCARD_CHANGES]
  // Asked about every piece, or taking one side of a merge.
  if (read.surely('patch')) return isAnswered(command.inputs) ? [DISCARD_CHANGES] : []
  if (read.surely('ours', 'theirs')) return []
  if (read.paths !== undefined && read.paths.length > 0) return [DISCARD_CHANGES]
  if (valuesOf(read, 'pathspec-from-file').length > 0) return [DISCARD_CHANGES]
  const makesBranch = ['b', 'B', 'orphan'].some((name) => valuesOf(read, name).length > 0)
  if (makesBranch) return movesTrunk(read, 'B') ? [MOVE_BRANCH] : openEffects(read)
  if (read.operands.length > 1) return [DISCARD_CHANGES]
  const [operand] = read.operands
  if (operand === undefined) return openEffects(read)
  if (isUnknown(operand)) {
    return tellsRef(operand) ? [] : unsureOf([DISCARD_CHANGES], unknownSince(operand))
  }
  if (isCertainPath(operand)) return [DISCARD_CHANGES]
  if (mayBePath(operand)) return unsureOf([DISCARD_CHANGES], `${operand.source} may be a file or a folder`)
  return openEffects(read)
}

/** `-B main`: a branch that is there for certain starts anew somewhere else. Of other names that is how one is made. */
function movesTrunk(read: GitOptions, option: string): boolean {
  return valuesOf(read, option).some(isTrunk)
}

function openEffects(read: GitOptions) {
  return read.open === undefined ? [] : unsureOf([DISCARD_CHANGES], unknownSince(read.open))
}

/** `yes |` answers every question. */
function isAnswered(inputs: readonly { readonly name: string | undefined }[] | undefined): boolean {
  return inputs?.some(({ name }) => name === 'yes') === true
}

/** What can be no branch: `.`, `./x`, `/x`, `:/`, `src/`, `*.ts`, `.eslintrc`. */
function isCertainPath(word: Word): boolean {
  if (word.source.includes('*') && exactText(word) === undefined) return true
  return word.forms.some((form) => /^(\.|\/|~|:)|\/$|[*?[]/.test(exactForm(form) ?? ''))
}

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|jsonc?|mdx?|txt|py|ipynb|go|mod|sum|rs|rb|java|kts?|scala|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ya?ml|toml|lock|s?css|less|html?|vue|svelte|sql|xml|ini|cfg|conf|env|gradle|swift|m|proto|tf|csv|svg|png|pdf|tex|lua|ex|exs|erl|hs|clj|dart|r|pl|snap|log|properties|patch)$/i
const FILE_NAME =
  /(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|Jenkinsfile|README|LICENSE|CHANGELOG)$/
const FOLDER = /^(?:src|lib|packages|tests|__tests__|node_modules)(?:\/|$)/

/** Looks like a file; a branch could be named so, but hardly is. */
function mayBePath(word: Word): boolean {
  return word.forms.some((form) => {
    const text = form.map((piece) => piece.text).join('')
    return [EXTENSION, FILE_NAME, FOLDER].some((pattern) => pattern.test(text))
  })
}

const SWITCH = `
  c|create= C|force-create= d|detach discard-changes f|force m|merge conflict= orphan= t|track=? guess
  ignore-other-worktrees progress q|quiet overwrite-ignore recurse-submodules=?
`

export const switchBranch: Verb = ({ args }) => {
  const read = readVerb(args, SWITCH)
  if (read.help) return []
  if (read.may('force', 'discard-changes')) return [DISCARD_CHANGES]
  return movesTrunk(read, 'force-create') ? [MOVE_BRANCH] : openEffects(read)
}

const RESTORE = `
  s|source= S|staged W|worktree p|patch 2|ours 3|theirs m|merge conflict= ignore-unmerged
  ignore-skip-worktree-bits recurse-submodules=? overlay progress q|quiet pathspec-from-file=
  pathspec-file-nul U|unified= inter-hunk-context=
`

export const restoreVerb: Verb = ({ args, command }) => {
  const read = readVerb(args, RESTORE)
  if (read.help || (read.operands.length === 0 && valuesOf(read, 'pathspec-from-file').length === 0))
    return []
  if (read.surely('patch')) return isAnswered(command.inputs) ? [DISCARD_CHANGES] : []
  if (read.surely('ours', 'theirs')) return []
  if (read.surely('staged') && !read.may('worktree')) return []
  return [DISCARD_CHANGES]
}

const CHECKOUT_INDEX = 'u|index q|quiet f|force a|all n|no-create prefix= stage= temp stdin z'

export const checkoutIndex: Verb = ({ args }) => {
  const read = readVerb(args, CHECKOUT_INDEX)
  // With a prefix it writes a copy somewhere else.
  if (read.help || read.surely('temp') || valuesOf(read, 'prefix').length > 0) return []
  return read.may('force') ? [DISCARD_CHANGES] : openEffects(read)
}

const READ_TREE = `
  m reset u i n|dry-run v q|quiet prefix= exclude-per-directory= empty index-output= trivial aggressive
  sparse-checkout recurse-submodules=?
`

export const readTree: Verb = ({ args }) => {
  const read = readVerb(args, READ_TREE)
  if (read.help || read.surely('dry-run')) return []
  return read.may('reset') && read.may('u') ? [DISCARD_CHANGES] : openEffects(read)
}
