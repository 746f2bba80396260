import { dialectHost } from '../dialect-host.ts'
import { KILO } from './dialect.ts'

export const host = dialectHost(KILO)
