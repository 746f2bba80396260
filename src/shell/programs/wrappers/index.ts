import type { ProgramTable } from '../program.ts'
import { EACH } from './each.ts'
import { ELSEWHERE } from './elsewhere.ts'
import { ENVIRONMENT } from './environment.ts'
import { PROJECTS } from './projects.ts'
import { RUNNING } from './running.ts'
import { TERMINALS } from './terminals.ts'
import { AS_USER } from './users.ts'

/** Programs whose work is to run another one. */
export const WRAPPERS: ProgramTable = {
  ...AS_USER,
  ...ENVIRONMENT,
  ...RUNNING,
  ...EACH,
  ...TERMINALS,
  ...PROJECTS,
  ...ELSEWHERE,
}
