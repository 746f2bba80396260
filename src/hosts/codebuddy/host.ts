import { dialectHost } from '../dialect-host.ts'
import { CODEBUDDY } from './dialect.ts'

export const host = dialectHost(CODEBUDDY)
