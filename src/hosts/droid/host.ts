import { dialectHost } from '../dialect-host.ts'
import { DROID } from './dialect.ts'

export const host = dialectHost(DROID)
