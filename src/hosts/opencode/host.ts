import { dialectHost } from '../dialect-host.ts'
import { OPENCODE } from './dialect.ts'

export const host = dialectHost(OPENCODE)
