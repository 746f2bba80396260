import { expect, it } from 'vitest'
import { ownerInTable, processInNetstat } from './peers.ts'

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
])('the table of Linux says who connects from port %i', (port, uid) => {
  expect(ownerInTable(port, 0x9c40, TABLE)).toBe(uid)
})

/** As macOS writes it, before version 15 and since then. */
const BEFORE = `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)      rhiwat  shiwat    pid   epid state  options           gencnt    flags   flags1 usscnt rtncnt fltrs
tcp4       0      0  127.0.0.1.40000        127.0.0.1.50001        ESTABLISHED  408128  146988    811      0 00102 00000000 00000000000a1b2c 00000081 04000900      1      0 000001
tcp4       0      0  127.0.0.1.50001        127.0.0.1.40000        ESTABLISHED  408128  146988   2345      0 00102 00000008 00000000000a1b2d 00000081 04000900      1      0 000001
tcp4       0      0  127.0.0.1.50003        127.0.0.1.40000        TIME_WAIT    408128  146988   2347      0 02131 00000008 00000000000a1b2f 00000081 04000900      1      0 000001
tcp4       0      0  127.0.0.1.40000        *.*                    LISTEN       131072  131072    811      0 00100 00000006 00000000000a1b2e 00000000 00000900      1      0 000001
`
const SINCE = `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)          rxbytes      txbytes  rhiwat  shiwat          process:pid    state  options           gencnt    flags   flags1 usecnt rtncnt fltrs
tcp4       0      0  127.0.0.1.40000        127.0.0.1.50001        ESTABLISHED         4821         1203  408128  146988             node:811    00102 00000000 00000000000a1b2c 00000081 04000900      1      0 000001
tcp4       0      0  127.0.0.1.50001        127.0.0.1.40000        ESTABLISHED         1203         4821  408128  146988 Google Chrome He:2345   00102 00000008 00000000000a1b2d 00000081 04000900      1      0 000001
tcp4       0      0  127.0.0.1.50002        127.0.0.1.40000        ESTABLISHED         1203         4821  408128  146988           2.1.20:2346   00102 00000008 00000000000a1b2d 00000081 04000900      1      0 000001
`

it.each([
  ['before macOS 15', BEFORE, 50001, 2345],
  ['since macOS 15', SINCE, 50001, 2345],
  ['with a version as its name', SINCE, 50002, 2346],
  ['that is over', BEFORE, 50003, undefined],
  ['of nobody', SINCE, 50004, undefined],
])('netstat of a Mac names the process of a connection %s', (_name, text, port, pid) => {
  expect(processInNetstat(port, 40000, text)).toBe(pid)
})
