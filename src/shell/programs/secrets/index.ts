import type { ProgramTable } from '../program.ts'
import { SECRET_STORES } from './stores.ts'

/** Passwords, tokens, keys and the variables that hold them. */
export const SECRETS: ProgramTable = { ...SECRET_STORES }
