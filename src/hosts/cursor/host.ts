import { dialectHost } from '../dialect-host.ts'
import { CURSOR } from './dialect.ts'

export const host = dialectHost(CURSOR)
