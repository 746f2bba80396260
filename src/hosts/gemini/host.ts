import { dialectHost } from '../dialect-host.ts'
import { GEMINI } from './dialect.ts'

export const host = dialectHost(GEMINI)
