import { dialectHost } from '../dialect-host.ts'
import { GOOSE } from './dialect.ts'

export const host = dialectHost(GOOSE)
