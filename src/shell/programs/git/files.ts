import { wordSet } from '../../../core/word-list.ts'
import { isSet, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import type { FileEffect } from '../../vocabulary/effect.ts'
import { candidates, patternsOf } from '../../words/path-candidates.ts'
import { exactText, type Word } from '../../words/words.ts'
import type { GitCall } from './call.ts'

/**
 * The paths a git command names. `git add` and `git commit` of a secret count as reading it: they copy it into a
 * history that is pushed. Questions about a file (`status`, `check-ignore`, `ls-files`) are metadata.
 */
export function filesOfGit(call: GitCall): readonly FileEffect[] {
  const verb = exactText(call.verb) ?? ''
  const read = readOptions(call.args, verb === 'grep' ? GREP : verb === 'config' ? CONFIG : MESSAGES)
  const access = accessOf(verb, read)
  const files = valuesOf(read, 'file').map((word) => ({ word, access: 'read' as const }))
  const operands = verb === 'grep' && !isSet(read, 'e') ? read.operands.slice(1) : read.operands
  return [...files, ...operands.map((word) => ({ word, access }))].flatMap((each) =>
    namedBy(each.word, each.access, call),
  )
}

function namedBy(word: Word, access: FileEffect['kind'], call: GitCall): readonly FileEffect[] {
  const plain = candidates(word)
  const isExact = plain.length > 0 && exactText(word) !== undefined && !/[*?[]/.test(exactText(word) ?? '')
  const forms = isExact ? plain : [...plain, ...patternsOf(word)]
  return forms.map((form) => ({ form, source: word.source, kind: access, cwd: call.cwd }))
}

/** Letters that mean something else to the other verbs. */
const GREP = `
  e= f= A= B= C= m|max-count= O|open-files-in-pager=? threads= max-depth= n c i l L w v h H E F P G r q o a p
  W cached
`

/** The file that is read instead of git's own. */
const CONFIG = 'f|file= blob= type= default= t= comment= value= l|list'

/** Options whose value is a message or a pattern, whatever the verb. */
const MESSAGES = `
  m|message= F|file= C= c= e= S= G= L= author= date= grep= format= pretty=? cached p|patch u f|force name-only
  name-status stat staged worktree source= exclude= exclude-standard ignored=? n= max-count= since= until=
  after= before=
`

const METADATA = wordSet(`
  status check-ignore check-attr ls-files ls-tree rev-parse rev-list update-index branch tag config remote
  fetch push pull clone init sparse-checkout
`)
const WRITES = new Set(['checkout', 'restore', 'rm', 'mv', 'clean', 'reset', 'stash'])

function accessOf(verb: string, read: ReadOptions): FileEffect['kind'] {
  if (METADATA.has(verb)) return 'metadata'
  if (verb === 'stash' && exactText(read.operands[0]) === 'show') return 'read'
  if (verb === 'rm' && isSet(read, 'cached')) return 'metadata'
  if (verb === 'reset') return 'metadata'
  if (verb === 'log' || verb === 'shortlog')
    return isSet(read, 'patch') || isSet(read, 'u') ? 'read' : 'metadata'
  const namesOnly = ['name-only', 'name-status', 'stat'].some((option) => isSet(read, option))
  if (verb === 'diff' && namesOnly) return 'metadata'
  return WRITES.has(verb) ? 'write' : 'read'
}
