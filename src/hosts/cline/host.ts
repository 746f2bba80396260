import { dialectHost } from '../dialect-host.ts'
import { CLINE } from './dialect.ts'

export const host = dialectHost(CLINE)
