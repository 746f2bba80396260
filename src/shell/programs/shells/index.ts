import type { ProgramTable } from '../program.ts'
import { BUILTINS } from './builtins.ts'
import { ECHO } from './echo.ts'
import { SHELLS } from './running.ts'
import { ZSH_PROGRAMS } from './zsh.ts'

/** Shells and what is built into them. */
export const SHELL_PROGRAMS: ProgramTable = {
  ...SHELLS,
  ...BUILTINS,
  ...ECHO,
  ...ZSH_PROGRAMS,
}
