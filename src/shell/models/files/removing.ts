import {
  isSet,
  type OptionTable,
  optionTable,
  type ReadOptions,
  readOptions,
} from '../../arguments/options.ts'
import type { ActEffect, ShellEffect } from '../../vocabulary/effect.ts'
import { exactText, hasUnknown, patternForm, type Word } from '../../words/words.ts'
import type { ModelCall } from '../model.ts'
import { deletions } from './reached.ts'

const RM = optionTable(`
  r|R|recursive f|force d|dir v|verbose i I interactive=? one-file-system P W x preserve-root=?
  no-preserve-root help version
`)

export function removedPaths({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, RM)
  if (isInert(read)) return []
  const recursive = isSet(read, 'recursive')
  const [doubt] = read.doubtful
  return read.operands.flatMap((target) => {
    // `rm $FLAGS dist`: the flags may make it recursive. Of `rm $FILE` nothing is known that would be worth a doubt.
    const perhaps = !recursive && doubt !== undefined && !target.forms.some(hasUnknown)
    const how = perhaps ? { recursive: true, unsure: `${doubt.source} may make it recursive` } : { recursive }
    return deletions(target, command.cwd, how)
  })
}

export function isInert(read: ReadOptions): boolean {
  return ['help', 'version', 'dry-run'].some((name) => isSet(read, name))
}

const RMDIR = optionTable('p|parents v|verbose ignore-fail-on-non-empty help version')

/** Only what is empty, or one file. */
export function removedOne({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, RMDIR)
  if (isInert(read)) return []
  return read.operands.flatMap((target) => deletions(target, command.cwd, {}))
}

const RIMRAF = optionTable(`
  h|help version g|glob G|no-glob i|interactive I|no-interactive v|verbose V|no-verbose impl= preserve-root
  no-preserve-root tmp= max-retries= retry-delay= backoff= f|force d|dry-run
`)

/** rimraf and del: always with everything below, and patterns in quotes are theirs to expand. */
export function removedTree({ command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, RIMRAF)
  if (isInert(read)) return []
  return read.operands.flatMap((target) => {
    return deletions(asPattern(target), command.cwd, { recursive: true })
  })
}

function asPattern(word: Word): Word {
  const text = exactText(word)
  return text === undefined || text === '' ? word : { ...word, forms: [patternForm(text)] }
}

const SHREDDED: ActEffect = {
  kind: 'data-destroy',
  act: 'files/shred',
  what: 'overwrites files so that nothing brings them back',
}

const SHREDS: Readonly<Record<string, OptionTable>> = {
  shred: optionTable(
    'f|force n|iterations= random-source= s|size= u remove=? v|verbose x|exact z|zero help version',
  ),
  srm: optionTable(`
    r|R|recursive f|force i|interactive s|simple m|medium z|zero n|nounlink d l v|verbose x help h version V
  `),
  wipe: optionTable(
    'r|recursive f|force i|interactive k c D e q Q= R= S= s|silent l= o= P= X= x= b= M= F Z h|help v|version',
  ),
}

export function shredded({ name, command }: ModelCall): readonly ShellEffect[] {
  const read = readOptions(command.args, SHREDS[name] ?? SHREDS.shred ?? RM)
  if (isInert(read) || read.operands.every((word) => exactText(word) === '-')) return []
  const recursive = isSet(read, 'recursive')
  const gone = read.operands.flatMap((target) => deletions(target, command.cwd, { recursive }))
  // A device is not removed but written over.
  const written = gone.map(({ form, source, cwd }): ShellEffect => ({ kind: 'write', form, source, cwd }))
  return [SHREDDED, ...gone, ...written]
}
