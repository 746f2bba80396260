import { dialectHost } from '../dialect-host.ts'
import { GROK } from './dialect.ts'

export const host = dialectHost(GROK)
