import type { Socket } from 'node:net'
import { connectionUser } from '../../system/platform/peers.ts'

/**
 * Whether the other end of a loopback connection belongs to another user. Where the system does
 * not say so, only the token counts.
 */
export function isOtherUser(
  socket: Pick<Socket, 'remotePort' | 'localPort'>,
  uid: number | undefined,
): boolean {
  const { remotePort, localPort } = socket
  if (uid === undefined || remotePort === undefined || localPort === undefined) return false
  const owner = connectionUser(remotePort, localPort)
  // Root reads everything anyway, and relays of virtual machines run as root.
  return owner !== undefined && owner !== uid && owner !== 0
}
