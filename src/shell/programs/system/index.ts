import type { ProgramTable } from '../program.ts'
import { DISKS } from './disks.ts'
import { MAC } from './mac.ts'
import { MACHINE } from './machine.ts'
import { SCHEDULING } from './scheduling.ts'
import { SERVICES } from './services.ts'
import { USERS } from './users.ts'

/** The machine: its disks, kernel, services, users, and what runs later. */
export const SYSTEM_PROGRAMS: ProgramTable = {
  ...DISKS,
  ...MACHINE,
  ...MAC,
  ...SERVICES,
  ...SCHEDULING,
  ...USERS,
}
