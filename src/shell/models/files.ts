import { wordList } from '../../core/word-list.ts'
import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { isWindowsCall } from '../arguments/windows-options.ts'
import type { ShellEffect } from '../vocabulary/effect.ts'
import { exactText, type Form, type Word } from '../words/words.ts'
import { placed, takenAway, writes } from './files/placing.ts'
import { reached } from './files/reached.ts'
import { isInert, removedOne, removedPaths, removedTree, shredded } from './files/removing.ts'
import type { Model, ModelCall } from './model.ts'

/** Programs that delete, move, copy and write files. */
export const files: Model = {
  programs: wordList(`
    rm rmdir unlink rimraf del del-cli shx shred srm wipe trash trash-put gio mv cp ln install rename mmv tee
    dd touch truncate split npx bunx pnpx
  `),
  effects(call) {
    // `del /s x` of Windows is read as what it is where it is started.
    if (/^(del|rmdir)$/.test(call.name) && isWindowsCall(call.command.args)) return []
    switch (call.name) {
      case 'rm':
        return removedPaths(call)
      case 'rmdir':
      case 'unlink':
        return removedOne(call)
      case 'rimraf':
      case 'del':
      case 'del-cli':
        return removedTree(call)
      case 'shred':
      case 'srm':
      case 'wipe':
        return shredded(call)
      case 'npx':
      case 'bunx':
      case 'pnpx':
        return launched(call)
      case 'shx':
      case 'gio':
        return byVerb(call)
      case 'mv':
      case 'cp':
      case 'ln':
      case 'install':
        return placed(call)
      case 'trash':
      case 'trash-put':
        return operandsOf(call).flatMap((word) => takenAway(word, call.command.cwd))
      case 'rename':
      case 'mmv':
      case 'split':
        return operandsOf(call)
          .slice(1)
          .flatMap((word) => writes(word, call.command.cwd))
      case 'dd':
        return copied(call)
      case 'truncate':
        return emptied(call)
      default:
        return operandsOf(call).flatMap((word) => writes(word, call.command.cwd))
    }
  },
}

export { cases } from './files/cases.ts'

const OPTIONS: Readonly<Record<string, string>> = {
  touch: 'd|date= t= r|reference= time= a m c|no-create h|no-dereference',
  truncate: 's|size= r|reference= c|no-create o|io-blocks',
  split: 'a|suffix-length= b|bytes= C|line-bytes= l|lines= n|number= t|separator= filter=',
  rename: 'e= f|force v|verbose n|nono|no-act s|symlink',
}

/** A file cut to nothing is as good as deleted. */
function emptied(call: ModelCall): readonly ShellEffect[] {
  const operands = operandsOf(call)
  const read = readOptions(call.command.args, optionTable(OPTIONS.truncate ?? ''))
  const toNothing = valuesOf(read, 'size').some((word) => /^[<%/]?0+[A-Za-z]*$/.test(exactText(word) ?? '0'))
  const written = operands.flatMap((word) => writes(word, call.command.cwd))
  const gone = operands.flatMap((word) => reached('delete', word, call.command.cwd, {}))
  return toNothing ? [...written, ...gone] : written
}

function operandsOf({ name, command }: ModelCall): readonly Word[] {
  const read = readOptions(command.args, optionTable(OPTIONS[name] ?? '', 'help version'))
  return isInert(read) || read.options.some((option) => option.name === 'no-act') ? [] : read.operands
}

/** `shx rm -rf x`, `gio remove x`: another program's name comes first. */
function byVerb(call: ModelCall): readonly ShellEffect[] {
  const [verb, ...args] = call.command.args
  const inner = { ...call, name: exactText(verb) ?? '', command: { ...call.command, args } }
  if (call.name === 'gio') {
    if (inner.name === 'remove') return removedOne(inner)
    return inner.name === 'trash'
      ? operandsOf(inner).flatMap((word) => takenAway(word, inner.command.cwd))
      : []
  }
  return ['rm', 'mv', 'cp', 'ln', 'touch'].includes(inner.name) ? files.effects(inner) : []
}

const LAUNCHER = optionTable('y|yes q|quiet p|package= c|call= no-install bun prefer-offline')

/** `npx rimraf@5 x`: the package is the program. */
function launched(call: ModelCall): readonly ShellEffect[] {
  const [program, ...args] = readOptions(call.command.args, LAUNCHER, { stopAtOperand: true }).operands
  const name = (exactText(program) ?? '').replace(/(?<=.)@[^/]*$/, '')
  if (!/^(rimraf|del-cli|del|shx|trash|trash-cli)$/.test(name)) return []
  return files.effects({
    ...call,
    name: name.replace('trash-cli', 'trash'),
    command: { ...call.command, args },
  })
}

function copied({ command }: ModelCall): readonly ShellEffect[] {
  return command.args.flatMap((word) => {
    const forms = word.forms.flatMap((form) => afterKey(form, 'of='))
    return forms.length === 0 ? [] : writes({ ...word, forms }, command.cwd)
  })
}

function afterKey(form: Form, key: string): readonly Form[] {
  const [first, ...rest] = form
  if (first?.kind !== 'text' || !first.text.startsWith(key)) return []
  const text = first.text.slice(key.length)
  return [text === '' ? rest : [{ kind: 'text', text }, ...rest]]
}
