import { optionTable, readOptions, valuesOf } from './options.ts'
import { resolvePath } from './paths.ts'
import { exactText, type Word } from './words.ts'

/** A call of git: its own options read, the verb and what follows it. */
export interface GitCall {
  /** The verb; undefined when there is none. */
  readonly verb: Word | undefined
  readonly args: readonly Word[]
  /** The folder after every `-C`. */
  readonly cwd: string | undefined
}

export function readGit(
  args: readonly Word[],
  place: { readonly cwd: string | undefined; readonly home: string },
): GitCall {
  const read = readOptions(args, GLOBAL, { stopAtOperand: true })
  const [verb, ...rest] = read.operands
  const cwd = valuesOf(read, 'C').reduce<string | undefined>((current, folder) => {
    const text = exactText(folder)
    return text === undefined ? undefined : resolvePath(text, { cwd: current, home: place.home })
  }, place.cwd)
  return { verb, args: rest, cwd }
}

const GLOBAL = optionTable(
  'C=',
  'c=',
  'git-dir=',
  'work-tree=',
  'namespace=',
  'super-prefix=',
  'config-env=',
  'attr-source=',
  'list-cmds=?',
  'exec-path=?',
  'p|paginate',
  'P|no-pager',
  'v|version',
  'h|help',
  'bare',
  'no-replace-objects',
  'no-lazy-fetch',
  'no-optional-locks',
  'no-advice',
  'literal-pathspecs',
  'glob-pathspecs',
  'noglob-pathspecs',
  'icase-pathspecs',
  'html-path',
  'man-path',
  'info-path',
)
