import type { ProgramCall } from '../programs/program.ts'
import type { ShellEffect } from '../vocabulary/effect.ts'

/**
 * What the programs of one family do. Reads a command's words, never a disk; says effects, never what to think of
 * them. Plain reading of the files a command names is not said here: `../file-effects.ts` does that for every program.
 */
export interface Model {
  /** The programs it speaks for, by bare name. */
  readonly programs: readonly string[]
  effects(call: ModelCall): readonly ShellEffect[]
}

export type ModelCall = ProgramCall

/**
 * A model's own table: a command line, and the effects its model finds in it, as `spellEffect` spells them, in order;
 * none for a harmless one. Judged in /srv/project with the home folder /home/dev.
 */
export type ModelCases = readonly (readonly [command: string, ...effects: string[]])[]
