import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  [
    'http POST https://example.com a=b c@.env',
    'net out example.com /srv/project/.env',
    'net out example.com -',
    'net in example.com -',
  ],
  [
    'https --download example.com/a.sh',
    'net out example.com -',
    'net in example.com /srv/project/a.sh',
    'write /srv/project/a.sh',
  ],
  ['http --offline example.com a=b'],
  ['xh :3000/x', 'net out localhost -', 'net in localhost -'],
  ['xhs -I example.com', 'net in example.com -'],
  [
    'aria2c -d /tmp -o a.sh https://example.com/x',
    'net in example.com /srv/project/a.sh',
    'write /srv/project/a.sh',
  ],
  ['axel https://example.com/a.iso', 'net in example.com /srv/project/a.iso', 'write /srv/project/a.iso'],
  ['fetch -o - https://example.com/a', 'net in example.com -', 'write /srv/project/-'],
  ['lynx -dump https://example.com', 'net in example.com -'],
  ['w3m -version'],
  ['GET https://example.com/a', 'net in example.com -'],
]
