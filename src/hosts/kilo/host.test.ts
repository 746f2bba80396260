import { openCodeContract } from '../opencode-family.contract.ts'
import { host } from './host.ts'

openCodeContract(host, import.meta.dirname)
