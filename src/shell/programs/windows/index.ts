import type { ProgramTable } from '../program.ts'
import { CMD } from './cmd.ts'
import { LOADERS } from './loaders.ts'
import { WINDOWS_MACHINE } from './machine.ts'

/** Programs that only Windows has. */
export const WINDOWS: ProgramTable = {
  ...CMD,
  ...LOADERS,
  ...WINDOWS_MACHINE,
}
