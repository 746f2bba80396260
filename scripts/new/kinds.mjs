import { newCommand } from './command.mjs'
import { newGuard } from './guard.mjs'
import { newHandler } from './handler.mjs'
import { newHost } from './host.mjs'
import { newPack } from './pack.mjs'
import { newProgram } from './program.mjs'
import { newSource } from './source.mjs'

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
