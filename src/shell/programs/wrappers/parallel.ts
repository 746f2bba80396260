import { type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { knownTextAt } from '../../expand/line-files.ts'
import { codeRun, type Input, type Launch, type LaunchCall } from '../../vocabulary/launch.ts'
import {
  exactForm,
  exactText,
  exactWord,
  joinWords,
  type Piece,
  textPiece,
  type Word,
} from '../../words/words.ts'
import { listItemsOf, merged, withEach, withItem } from '../aspects/list-inputs.ts'

const PARALLEL = `
  a|arg-file= C|colsep= d|delimiter= D= E= I= i|replace=? j|jobs|P|max-procs= L= l=? n|max-args=
  N|max-replace-args= s|max-chars= S|sshlogin= slf|sshloginfile= U= tmpdir= joblog= results= timeout= retries=
  delay= load= memfree= halt= tagstring= block= wd|workdir= env= basefile= id= nice= profile|J= shuf progress
  bar eta dry-run|dryrun k|keep-order X m q|quote u|ungroup v|verbose t 0|null will-cite tag pipe
  r|no-run-if-empty lb|line-buffer x|exit fg bg citation V|version h|help
`
const SOURCES = /^:::[+:]{0,2}$/

/** `parallel rm {} ::: a b`: the command is text for a shell. Without one, every thing it reads is a command. */
export function parallelLaunch({ name, args, place, input }: LaunchCall): Launch | undefined {
  const read = readOptions(args, PARALLEL, { stopAtOperand: true })
  if (read.options.some((option) => ['dryrun', 'version', 'help', 'citation'].includes(option.name)))
    return undefined
  const rest = args.slice(read.operandsAt)
  const at = rest.findIndex((word) => SOURCES.test(exactText(word) ?? ''))
  const command = at < 0 ? rest : rest.slice(0, at)
  const items = at < 0 ? inputItems(read, place, input) : itemsOf(rest.slice(at), place)
  if (name === 'sem')
    return { own: read.operandsAt, runs: command.length === 0 ? [] : [codeRun(name, joinWords(command))] }
  const own = read.operandsAt
  const how = { shell: 'child', takesInput: true } as const
  // Each block of what comes in is given to the command on its own standard input.
  if (read.options.some(({ name: option }) => option === 'pipe'))
    return { own, runs: command.length === 0 ? [] : [codeRun(name, joinWords(command), { shell: 'child' })] }
  if (command.length === 0)
    return { own, runs: items.flatMap((word) => word.forms).map((form) => codeRun(name, [form], how)) }
  const marker = exactText(valuesOf(read, 'I', 'replace')[0]) ?? '{}'
  const markers = [marker, '{.}', '{/}', '{//}', '{/.}', '{1}', '{2}', '{3}']
  const filled = fieldsOf(items, valuesOf(read, 'colsep')[0]).reduce(
    (words, field, index) => words.map((word) => withItem(word, `{${index + 1}}`, quoted(field))),
    command,
  )
  const words = withEach(filled, markers, quoted(merged(items)))
  return { own, runs: [codeRun(name, joinWords(words), how)] }
}

/** `--colsep`: `{1}`, `{2}` … are the columns of each line. A pattern we do not read is taken for the usual signs. */
function fieldsOf(items: readonly Word[], separator: Word | undefined): readonly Word[] {
  if (separator === undefined) return []
  const sign = exactText(separator) ?? ''
  const gap = /^[^\\[\](){}.*+?^$|]+$/.test(sign) ? sign : /[\s,;:|]+/
  const rows = items.flatMap((item) => item.forms.map((form) => exactForm(form)?.split(gap) ?? []))
  const width = Math.min(FIELDS_MAX, Math.max(0, ...rows.map((row) => row.length)))
  return Array.from({ length: width }, (_, at) => merged(rows.map((row) => exactWord(row[at] ?? ''))))
}

const FIELDS_MAX = 9

/** parallel quotes what it puts into the command. */
function quoted(word: Word): Word {
  const quote = (piece: Piece): Piece =>
    piece.kind === 'text' && /[^\w@%+=:,./-]/.test(piece.text)
      ? textPiece(`'${piece.text.replaceAll("'", `'\\''`)}'`)
      : piece
  return { ...word, forms: word.forms.map((form) => form.map(quote)) }
}

function inputItems(read: ReadOptions, place: LaunchCall['place'], input: Input): readonly Word[] {
  const [file] = valuesOf(read, 'arg-file')
  return listItemsOf(file === undefined ? input.forms : knownTextAt(file, place), /\n+/)
}

function itemsOf(words: readonly Word[], place: LaunchCall['place']): readonly Word[] {
  let fromFiles = false
  return words.flatMap((word) => {
    const marker = SOURCES.exec(exactText(word) ?? '')
    if (marker === null) return fromFiles ? listItemsOf(knownTextAt(word, place), /\n+/) : [word]
    fromFiles = marker[0].startsWith('::::')
    return []
  })
}
