import type { ProgramTable } from '../program.ts'
import { DOCKERS } from './docker.ts'
import { KUBERNETES } from './kubernetes.ts'

/** Containers and clusters. */
export const CONTAINERS: ProgramTable = {
  ...DOCKERS,
  ...KUBERNETES,
}
