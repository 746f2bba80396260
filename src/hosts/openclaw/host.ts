import { dialectHost } from '../dialect-host.ts'
import { OPENCLAW } from './dialect.ts'

export const host = dialectHost(OPENCLAW)
