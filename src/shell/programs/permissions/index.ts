import type { ProgramTable } from '../program.ts'
import { chgrp, chmod, chown } from './chmod.ts'
import { RIGHTS } from './rights.ts'

/** Who may do what with which file. The acts come with the files they are done to. */
export const PERMISSIONS: ProgramTable = {
  ...chmod,
  ...chown,
  ...chgrp,
  ...RIGHTS,
}
