import type { ProgramTable } from '../program.ts'
import { aws } from './aws.ts'
import { INFRASTRUCTURE } from './infrastructure.ts'
import { MACHINES } from './machines.ts'
import { PLATFORMS } from './platforms.ts'

/** Clouds, the infrastructure in them, and virtual machines. */
export const CLOUDS: ProgramTable = {
  ...aws,
  ...PLATFORMS,
  ...INFRASTRUCTURE,
  ...MACHINES,
}
