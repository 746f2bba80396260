import type { ProgramTable } from '../program.ts'
import { curl, curlie } from './curl.ts'
import { FETCHERS } from './fetchers.ts'
import { FTP } from './ftp.ts'
import { KEY_PROGRAMS } from './keys.ts'
import { LOOKUPS } from './lookups.ts'
import { NETCAT_PROGRAMS, telnet } from './netcat.ts'
import { SENDERS } from './senders.ts'
import { SERVERS } from './servers.ts'
import { socat } from './socat.ts'
import { autossh, rsh, scp, sftp, ssh } from './ssh.ts'
import { TUNNELS } from './tunnels.ts'
import { wget, wget2 } from './wget.ts'

/** What goes over the network: where to, and what of this machine goes with it. */
export const NETWORK: ProgramTable = {
  ...curl,
  ...curlie,
  ...wget,
  ...wget2,
  ...FETCHERS,
  ...NETCAT_PROGRAMS,
  ...telnet,
  ...socat,
  ...ssh,
  ...autossh,
  ...rsh,
  ...scp,
  ...sftp,
  ...FTP,
  ...LOOKUPS,
  ...TUNNELS,
  ...SERVERS,
  ...KEY_PROGRAMS,
  ...SENDERS,
}
