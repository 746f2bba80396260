import type { ProgramTable } from '../program.ts'
import { bfg, git, gitCommands, gitExe, gitShouted } from './git.ts'
import { CODE_HOSTS } from './hosts.ts'
import { MERCURIAL } from './mercurial.ts'

/** Version control, and the programs of code hosts. */
export const GIT: ProgramTable = {
  ...git,
  ...gitCommands,
  ...gitShouted,
  ...gitExe,
  ...bfg,
  ...MERCURIAL,
  ...CODE_HOSTS,
}
