import type { ProgramTable } from '../program.ts'
import { CLIENTS } from './clients.ts'
import { MIGRATIONS } from './migrations.ts'
import { STORES } from './stores.ts'
import { TOOLS } from './tools.ts'

/** Databases: their clients, their tools, and the frameworks that change them. */
export const DATABASES: ProgramTable = {
  ...CLIENTS,
  ...TOOLS,
  ...STORES,
  ...MIGRATIONS,
}
