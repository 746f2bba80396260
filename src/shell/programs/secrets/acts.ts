import { act } from '../../vocabulary/effect.ts'

export const PRINT_CREDENTIAL = act('secrets/print-credential', 'privilege', 'prints a password or a key')
