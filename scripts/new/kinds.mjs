import { newCommand } from './command.mjs'
import { newGuard } from './guard.mjs'
import { newHandler } from './handler.mjs'
import { newHost } from './host.mjs'
import { newPack } from './pack.mjs'
import { newProgram } from './program.mjs'
import { newSource } from './source.mjs'

/**
 * @typedef {object} RepositoryFiles What a skeleton needs to know of the repository.
 * @property {(path: string) => string | undefined} read The text of a file; undefined where there is none.
 * @property {(path: string) => readonly string[]} list
 */

/**
 * @typedef {object} Skeleton
 * @property {Readonly<Record<string, string>>} [files] Texts by their paths.
 * @property {readonly string[]} [next] What to do next, as lines.
 * @property {string} [problem]
 */

/** @typedef {(words: readonly string[], repository: RepositoryFiles) => Skeleton} NewSkeleton */

/** What `npm run new` makes: for each kind, a function from its words and the repository to files or a problem. */
export const KINDS = {
  program: newProgram,
  guard: newGuard,
  pack: newPack,
  host: newHost,
  handler: newHandler,
  source: newSource,
  command: newCommand,
}
