import { dialectHost } from '../dialect-host.ts'
import { QWEN } from './dialect.ts'

export const host = dialectHost(QWEN)
