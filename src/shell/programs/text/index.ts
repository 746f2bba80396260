import type { ProgramTable } from '../program.ts'
import { AWKS } from './awk.ts'
import { EDITORS } from './editors.ts'
import { ENCODING } from './encoding.ts'
import { GREPS } from './grep.ts'
import { LINE_PROGRAMS } from './lines.ts'
import { sed } from './sed.ts'

/** Programs that read, change and show text. */
export const TEXT: ProgramTable = {
  ...LINE_PROGRAMS,
  ...GREPS,
  ...sed,
  ...AWKS,
  ...ENCODING,
  ...EDITORS,
}
