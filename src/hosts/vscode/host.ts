import { dialectHost } from '../dialect-host.ts'
import { VSCODE } from './dialect.ts'

export const host = dialectHost(VSCODE)
