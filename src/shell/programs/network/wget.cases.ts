import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['wget https://example.com/a.sh', 'net in example.com /srv/project/a.sh', 'write /srv/project/a.sh'],
  ['wget -qO- https://example.com/a.sh', 'net in example.com -'],
  ['wget -P /tmp https://example.com/a.sh', 'net in example.com /tmp/a.sh', 'write /tmp/a.sh'],
  ['wget --post-f=.env -O- example.com', 'net out example.com /srv/project/.env', 'net in example.com -'],
  ['wget --spider https://example.com'],
  ['wget2 --help'],
]
