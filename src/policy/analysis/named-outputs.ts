import { wordSet } from '../../core/word-list.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { exactForm, exactText, exactWord, type Form, textPiece, type Word } from '../../shell/words/words.ts'
import { afterEquals, READERS } from './program-habits.ts'

/** A path that a command names, but not as a file it works on: the value of a variable or of an option. */
export interface NamedPath {
  readonly form: Form
  readonly source: string
  /** Who says so: `GIT_TRACE`, `--cpu-prof-name`. */
  readonly by: string
  /** It is attached to an option, so it cannot be an operand. */
  readonly attached?: boolean
}

/**
 * `GIT_TRACE=file git status`, `ssh -E file host`, `curl --hsts file`, `node --cpu-prof-dir=folder --cpu-prof-name=name`:
 * the variables and options that name a file to write are too many to list. So every value counts, unless the program is
 * known to write nothing but what it prints.
 */
export function namedPaths(command: SimpleCommand, all: readonly SimpleCommand[]): readonly NamedPath[] {
  const { name } = command
  if (name === undefined) return []
  const given = optionValues(command)
  const values = PRINTERS.has(name) ? given.filter((each) => each.attached === true && isLong(each)) : given
  return [...variables(command, all), ...values, ...joined(values), ...startedFile(command)]
}

function isLong({ by, source }: NamedPath): boolean {
  return by.startsWith('--') && !source.startsWith('--')
}

/** Settings are no program: a word that seems to be one is a file for the wrapper in front of it. */
function startedFile({ word }: SimpleCommand): readonly NamedPath[] {
  const text = exactText(word) ?? ''
  return /\/.*\.(?:json|toml|ya?ml|jsonl|db)$/.test(text)
    ? word.forms.map((form) => ({ form, source: word.source, by: 'its words' }))
    : []
}

/** `NODE_OPTIONS="--cpu-prof-dir=folder --cpu-prof-name=file"`: options in the value of a variable. */
function optionsIn(value: Word): readonly NamedPath[] {
  const text = exactText(value)?.trim() ?? ''
  if (!/^--?\w/.test(text) || !/\s/.test(text)) return []
  const values = optionValues({ name: '', args: text.split(/\s+/).map(exactWord) })
  return [...values, ...joined(values)]
}

/** What stands in the environment of a program that may write where a variable says. */
export function inheritedPaths(command: SimpleCommand): readonly NamedPath[] {
  const { name, environment } = command
  if (environment.length === 0 || name === '' || (name !== undefined && SETS_OR_PRINTS.has(name))) return []
  return environment.flatMap(({ name: by, value }) => [...named(value, by), ...optionsIn(value)])
}

const WRITE_BY_OPTION = wordSet(
  'cp install rsync scp ditto tee dd git tar zip gzip bzip2 xz zstd curl wget open xdg-open code tree sort sed awk gawk mawk',
)
const PRINTERS = new Set(['echo', 'printf', ...READERS].filter((name) => !WRITE_BY_OPTION.has(name)))

const SETS_OR_PRINTS = new Set([
  ...PRINTERS,
  ...wordSet(
    'export declare typeset local readonly float integer setenv set unset setopt true : exit return read',
  ),
])

const EXPORTERS = wordSet('export declare typeset setenv')

/** Set for this program, or for all that follow. A variable of the shell alone is seen where it is used. */
function variables(command: SimpleCommand, all: readonly SimpleCommand[]): readonly NamedPath[] {
  const { name = '', args, assignments } = command
  if (name !== '' && assignments.length > 0)
    return assignments.flatMap(({ name: by, value }) => [...named(value, by), ...optionsIn(value)])
  if (!EXPORTERS.has(name)) return []
  return args.flatMap((word, at) => {
    const text = word.source
    const equals = text.indexOf('=')
    if (equals > 0) return named(afterEquals(word), text.slice(0, equals))
    if (name === 'setenv' && at === 1) return named(word, args[0]?.source ?? '')
    const set = all.flatMap((each) => (each.name === '' ? each.assignments : []))
    return set.filter((each) => each.name === text).flatMap(({ value }) => named(value, text))
  })
}

/** What is attached to an option, and what follows one. A setting of git (`config key value`) is such a value, too. */
function optionValues({ name, args }: Pick<SimpleCommand, 'name' | 'args'>): readonly NamedPath[] {
  const setsFrom = name === 'git' ? args.findIndex((word) => exactText(word) === 'config') : -1
  return args.flatMap((word, at) => {
    const { source } = word
    const previous = args[at - 1]?.source ?? ''
    const equals = source.indexOf('=')
    if (equals > 0 && NAME.test(source.slice(0, equals)))
      return attached(named(afterEquals(word), source.slice(0, equals)))
    if (setsFrom >= 0 && at > setsFrom) return named(word, 'config')
    if (!source.startsWith('-') && OPTION.test(previous)) {
      const values = named(word, previous)
      // Of a program that only reads its operands, it is the value of the option or it is read.
      return previous.startsWith('--') && READERS.has(name ?? '') ? attached(values) : values
    }
    const [, short, value = ''] = ATTACHED.exec(source) ?? []
    return short === undefined || value === ''
      ? []
      : attached(named({ ...word, forms: word.forms.map(behindLetter) }, short))
  })
}

function attached(values: readonly NamedPath[]): readonly NamedPath[] {
  return values.map((each) => (READS.test(each.by) ? each : { ...each, attached: true }))
}

/** Options that name what is read, or what is left out; and flags that take no value, before an operand. */
const READS =
  /^(?:-[dFTXCIfeisSGLnE]|--?(?:arg|argjson|slurpfile|rawfile|data[\w-]*|form|upload-file|url|ca[\w-]*|cert[\w-]*|key|private-key|exclude[\w-]*|include[\w-]*|ignore[\w-]*|filter|files?0?-from|from-file|file|input[\w-]*|post-file|body-file|reference|newer[\w-]*|directory|strip[\w-]*|archive|recursive|verbose|quiet|silent|progress|delete|dry-run|create|extract|list|get|append|update|compress|gzip|bzip2|xz|zstd|location|fail|show-error|insecure|head|compressed|no-[\w-]+|parents|force|preserve[\w-]*|stat|name-only|name-status|follow|oneline|patch|cached|staged|all|relative|human-readable|checksum|times|links|stdout|keep|to-stdout|unique|reverse|numeric-sort|stable|regexp-extended|expression|separate|null-data|word-diff|no-index|pretty|full-name|others|exclude-standard|ff-only|rebase|soft|hard|mixed|worktree|source|i?glob|regexp|pre-glob|colou?r|sort|wait|reuse-window|new-window|goto|add|diff|merge))$/

const NAME = /^-{0,2}[\w.-]+$/
const OPTION = /^--?[a-zA-Z][\w.-]*$/
/** `-E~/file`, `-o/file`. */
const ATTACHED = /^(-[a-zA-Z])((?:[~/.$"'].*)?)$/s

/** One option names the folder, another one the file in it. */
function joined(values: readonly NamedPath[]): readonly NamedPath[] {
  const folders = values.filter(({ by }) => /dir|folder|path|prefix/i.test(by))
  const names = values.filter(({ form }) => /^[\w.-]+\.\w+$/.test(exactForm(form) ?? ''))
  return folders.slice(0, PAIRS_MAX).flatMap((folder) =>
    names.slice(0, PAIRS_MAX).map(({ form, source, by }) => ({
      form: [...folder.form, textPiece('/'), ...form],
      source: `${folder.source}/${source}`,
      by: `${folder.by} and ${by}`,
    })),
  )
}

/** A call names one folder and one file; more are tried only so far. */
const PAIRS_MAX = 16

/** A text with blanks in it is a path only where it begins as one: others are messages. */
function named(word: Word, by: string): readonly NamedPath[] {
  const paths = word.forms.filter(
    ([first]) =>
      first?.kind !== 'text' ||
      (/^[~/.]/.test(first.text) && !/[;|&\n]/.test(first.text)) ||
      !/\s/.test(first.text),
  )
  return paths.map((form) => ({ form, source: word.source, by }))
}

function behindLetter(form: Form): Form {
  const [first, ...rest] = form
  return first?.kind === 'text' ? [{ ...first, text: first.text.slice(2) }, ...rest] : form
}
