import { type Option, type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import { resolvePath } from '../../words/paths.ts'
import { exactForm, exactText, exactWord, type Form, textPiece, type Word } from '../../words/words.ts'

/** A call of git: its own options read, the verb and what follows it. */
export interface GitCall {
  /** The verb; undefined when there is none. */
  readonly verb: Word | undefined
  readonly args: readonly Word[]
  /** The folder after every `-C`. */
  readonly cwd: string | undefined
  /** Settings for this call alone: `-c key=value`, `--config-env`. */
  readonly config: readonly GitSetting[]
  /** The work tree that an option names. */
  readonly workTree: Word | undefined
  /** Where git is told to find its own programs. */
  readonly execPath: Word | undefined
  /** Only asks git about itself (`--help`, `--version`): the verb is not run. */
  readonly inert: boolean
}

export interface GitSetting {
  /** In small letters; empty when it is known only at run time. */
  readonly key: string
  readonly value: Word
}

export function readGit(
  args: readonly Word[],
  place: { readonly cwd: string | undefined; readonly home: string },
): GitCall {
  const read = readGitOptions(args)
  const [verb, ...rest] = read.operands
  const cwd = valuesOf(read, 'C').reduce<string | undefined>((current, folder) => {
    const text = exactText(folder)
    return text === undefined ? undefined : resolvePath(text, { cwd: current, home: place.home })
  }, place.cwd)
  const config = read.options.flatMap(settingsOf)
  const execPath = valuesOf(read, 'exec-path').at(-1)
  const workTree = valuesOf(read, 'work-tree').at(-1)
  const inert = read.options.some(({ name }) => ['help', 'version'].includes(name))
  return { verb, args: rest, cwd, config, workTree, execPath, inert }
}

/** Its variables, the last of a name counting: those that were exported, and those in front of it. */
export function givenVariables({
  environment,
  assignments,
}: Pick<SimpleCommand, 'environment' | 'assignments'>): SimpleCommand['assignments'] {
  return environment.length === 0 ? assignments : [...environment.filter(isForGit), ...assignments]
}

function isForGit({ name }: { readonly name: string }): boolean {
  return name.startsWith('GIT_')
}

export function readGitOptions(args: readonly Word[]): ReadOptions {
  return readOptions(args, GIT_OPTIONS, { stopAtOperand: true })
}

/** `key=value`; a key alone means true. */
export function readSetting(word: Word): readonly GitSetting[] {
  return word.forms.map((form) => {
    const [first, ...rest] = form
    if (first?.kind !== 'text') return { key: '', value: word }
    const equals = first.text.indexOf('=')
    const key = (equals < 0 ? first.text : first.text.slice(0, equals)).toLowerCase()
    if (equals < 0) return rest.length === 0 ? { key, value: exactWord('true') } : { key: '', value: word }
    const value: Form = [textPiece(first.text.slice(equals + 1)), ...rest].filter(
      (piece) => piece.text !== '',
    )
    return { key, value: { source: exactForm(value) ?? word.source, forms: [value], splits: false } }
  })
}

function settingsOf({ name, value }: Option): readonly GitSetting[] {
  if (value === undefined || (name !== 'c' && name !== 'config-env')) return []
  const settings = readSetting(value)
  if (name === 'c') return settings
  // The value stands in a variable of that name, which another program has set.
  return settings.map(({ key }) => ({ key, value: { ...value, forms: [[UNKNOWN]] } }))
}

const UNKNOWN = { kind: 'unknown', text: 'a variable' } as const

/** Options that stand before git's verb. */
const GIT_OPTIONS = `
  C= c= git-dir= work-tree= namespace= super-prefix= config-env= attr-source= list-cmds=? exec-path=?
  p|paginate P|no-pager v|version h|help bare no-replace-objects no-lazy-fetch no-optional-locks no-advice
  literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs html-path man-path info-path
`
