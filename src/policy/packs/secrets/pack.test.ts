import { guardContract } from '../guard.contract.ts'
import { pack } from './pack.ts'

for (const guard of pack.guards) guardContract(guard)
