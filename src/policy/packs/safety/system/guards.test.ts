import { guardContract } from '../../guard.contract.ts'
import { pack } from '../pack.ts'

for (const guard of pack.guards) if (guard.id.startsWith('safety/system/')) guardContract(guard)
