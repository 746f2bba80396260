import { dialectHost } from '../dialect-host.ts'
import { COPILOT } from './dialect.ts'

export const host = dialectHost(COPILOT)
