import { dialectHost } from '../dialect-host.ts'
import { PI } from './dialect.ts'

export const host = dialectHost(PI)
