import { execFileSync } from 'node:child_process'
import { hasProc, procText } from './proc.ts'
import { psRow } from './ps.ts'

/** The user whose process connects from one port of this machine to another; undefined if the system does not say. */
export function connectionUser(fromPort: number, toPort: number): number | undefined {
  if (hasProc()) return ownerInTable(fromPort, toPort, procText('self', 'net/tcp') ?? '')
  if (process.platform !== 'darwin') return undefined
  const pid = processInNetstat(fromPort, toPort, netstat())
  return pid === undefined ? undefined : psRow(pid)?.user
}

/** The owner of the socket in the table of Linux. */
export function ownerInTable(fromPort: number, toPort: number, table: string): number | undefined {
  const [from, to] = [hexPort(fromPort), hexPort(toPort)]
  for (const line of table.split('\n')) {
    const [, local, remote, state, , , , uid] = line.trim().split(/\s+/)
    const isIt = local === `0100007F:${from}` && remote === `0100007F:${to}` && state === ESTABLISHED
    if (isIt) return Number(uid)
  }
  return undefined
}

const ESTABLISHED = '01'

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * The process of the connection in `netstat -anv` of macOS: a column of its own, since macOS 15 `name:pid` after two more
 * numbers. A name may contain spaces.
 */
export function processInNetstat(fromPort: number, toPort: number, text: string): number | undefined {
  const ends = `\\s127\\.0\\.0\\.1\\.${fromPort}\\s+127\\.0\\.0\\.1\\.${toPort}\\s+ESTABLISHED\\s+`
  const rest = new RegExp(`^tcp4.*?${ends}(.*)$`, 'm').exec(text)?.[1] ?? ''
  const [, pid] = /^(?:\d+\s+){4}\S.*?:(\d+)\s/.exec(rest) ?? /^(?:\d+\s+){2}(\d+)\s/.exec(rest) ?? []
  return pid === undefined ? undefined : Number(pid)
}

const NETSTAT_TIMEOUT_MS = 2_000

function netstat(): string {
  try {
    return execFileSync('/usr/sbin/netstat', ['-anv', '-p', 'tcp'], {
      encoding: 'latin1',
      timeout: NETSTAT_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {},
    })
  } catch {
    return ''
  }
}
