import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['nc example.com 4444', 'net out example.com -', 'net in example.com -'],
  ['nc -zv example.com 22'],
  [
    'nc -le /bin/sh 4444',
    'privilege network/reverse-shell',
    'system-change network/listen',
    'net out ? -',
    'net in ? -',
    'starts /bin/sh',
  ],
  [
    'ncat --listen --exec=/bin/cat 4444',
    'system-change network/listen',
    'net out ? -',
    'net in ? -',
    'starts /bin/cat',
  ],
  ['netcat -U /tmp/app.sock'],
  ['telnet example.com 25', 'net out example.com -', 'net in example.com -'],
]
