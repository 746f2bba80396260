import './check-node.ts'
import { loadPrograms } from './load-programs.ts'

// The resident process. `holdpoint-hook` and `holdpoint daemon start` start it; nobody needs to start it by hand.
void loadPrograms().daemon()
