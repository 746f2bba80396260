import type { ProgramTable } from '../program.ts'
import { NPM } from './npm.ts'
import { OTHER_PACKAGES } from './others.ts'
import { PYTHON_PACKAGES } from './python.ts'
import { SYSTEM_PACKAGES } from './system.ts'

/** Publishing packages, and removing software. */
export const PACKAGES: ProgramTable = {
  ...NPM,
  ...PYTHON_PACKAGES,
  ...OTHER_PACKAGES,
  ...SYSTEM_PACKAGES,
}
