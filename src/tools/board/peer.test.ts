import { expect, it } from 'vitest'
import { isOtherUser, ownerOf } from './peer.ts'

/** As Linux writes it: the board listens on 0x9C40, user 1001 connects from 0xA001 and user 1000 from 0xA002. */
const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0100007F:A001 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1
   2: 0100007F:9C40 0100007F:A001 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 30 10 -1
   3: 0100007F:A002 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 4 1 0 20 4 30 10 -1
   4: 0100007F:A003 0100007F:9C40 06 00000000:00000000 00:00000000 00000000     0        0 0 3 0
`

it.each([
  [0xa001, 1001],
  [0xa002, 1000],
  // A connection that is over has no owner.
  [0xa003, undefined],
  [0xa004, undefined],
])('finds who connects from port %i', (port, uid) => {
  expect(ownerOf(port, 0x9c40, TABLE)).toBe(uid)
})

it('leaves a connection to the token where nobody can say whose it is', () => {
  expect(isOtherUser({ remotePort: 1, localPort: 2 }, undefined)).toBe(false)
  expect(isOtherUser({ remotePort: undefined, localPort: 2 }, 1000)).toBe(false)
})
