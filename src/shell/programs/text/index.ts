import type { ProgramTable } from '../program.ts'
import { AWKS } from './awk.ts'
import { EDITORS } from './editors.ts'
import { ENCODING } from './encoding.ts'
import { GREPS } from './grep.ts'
import { LINES } from './lines.ts'
import { gsed, sed } from './sed.ts'

/** Programs that read, change and show text. */
export const TEXT: ProgramTable = {
  ...LINES,
  ...GREPS,
  ...sed,
  ...gsed,
  ...AWKS,
  ...ENCODING,
  ...EDITORS,
}
