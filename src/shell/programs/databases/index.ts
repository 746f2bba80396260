import type { Program } from '../program.ts'
import { CLIENTS } from './clients.ts'
import { MIGRATIONS } from './migrations.ts'
import { STORES } from './stores.ts'
import { TOOLS } from './tools.ts'

/** Databases: their clients, their tools, and the frameworks that change them. */
export const DATABASES: readonly Program[] = [...CLIENTS, ...TOOLS, ...STORES, ...MIGRATIONS]
