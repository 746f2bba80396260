import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/**
 * Whether the other end of a loopback connection belongs to another user. Linux says so; other systems do not, and there
 * only the token counts.
 */
export function isOtherUser(
  socket: Pick<Socket, 'remotePort' | 'localPort'>,
  uid: number | undefined,
): boolean {
  const { remotePort, localPort } = socket
  if (uid === undefined || remotePort === undefined || localPort === undefined) return false
  const owner = ownerOf(remotePort, localPort, readIfThere('/proc/net/tcp'))
  // Root reads everything anyway, and relays of virtual machines run as root.
  return owner !== undefined && owner !== uid && owner !== 0
}

/** The owner of the socket that connects from one port of this machine to another, in the kernel's table. */
export function ownerOf(fromPort: number, toPort: number, table: string): number | undefined {
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

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
