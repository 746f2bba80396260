import { openCodeDialect } from '../opencode-family.ts'

export const OPENCODE = openCodeDialect('opencode', 'OpenCode')
