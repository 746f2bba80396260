import { dialectHost } from '../dialect-host.ts'
import { ANTIGRAVITY } from './dialect.ts'

export const host = dialectHost(ANTIGRAVITY)
