import { packContract } from 'holdpoint/testing/contracts'
import { pack } from './pack.ts'

packContract(pack)
