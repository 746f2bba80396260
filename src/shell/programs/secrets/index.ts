import type { ProgramTable } from '../program.ts'
import { STORES } from './stores.ts'

/** Passwords, tokens, keys and the variables that hold them. */
export const SECRETS: ProgramTable = { ...STORES }
