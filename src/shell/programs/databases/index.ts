import type { ProgramTable } from '../program.ts'
import { DATABASE_CLIENTS } from './clients.ts'
import { MIGRATIONS } from './migrations.ts'
import { KEY_VALUE_STORES } from './stores.ts'
import { DATABASE_TOOLS } from './tools.ts'

/** Databases: their clients, their tools, and the frameworks that change them. */
export const DATABASES: ProgramTable = {
  ...DATABASE_CLIENTS,
  ...DATABASE_TOOLS,
  ...KEY_VALUE_STORES,
  ...MIGRATIONS,
}
