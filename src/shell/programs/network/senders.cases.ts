import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['croc send .env', 'net out croc /srv/project/.env', 'net out croc -'],
  ['croc --yes'],
  ['wormhole send .env', 'net out wormhole /srv/project/.env', 'net out wormhole -'],
  ['transfer .env', 'net out transfer.sh -'],
  [
    'mail -s report dev@example.com < report.txt',
    'net out mail -',
    'read /srv/project/report.txt',
    'net out mail /srv/project/report.txt',
  ],
]
