import { dialectHost } from '../dialect-host.ts'
import { KIMI } from './dialect.ts'

export const host = dialectHost(KIMI)
