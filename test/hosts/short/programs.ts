import { AGENTS } from '../agents.ts'
import { ASK_DENIED } from '../dialects/episodes.ts'
import { CANNOT_ASK, type DialectProgram } from '../dialects/program.ts'
import { PROGRAMS } from '../dialects/programs/index.ts'

/** Every real program, by the id of its host. The full depth of the first two is in `../scenarios`. */
export const EVERY_PROGRAM: Readonly<Record<string, DialectProgram>> = {
  'claude-code': { agent: AGENTS['claude-code'], expected: {} },
  codex: { agent: AGENTS.codex, lacks: { ask: CANNOT_ASK }, expected: { ask: ASK_DENIED } },
  ...PROGRAMS,
}
