import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['rsh example.com rm -rf /data', 'starts rm -rf /data'],
  ['GIT_SSH_COMMAND="ssh -i $KEY" git fetch'],
  ['sftp example.com <<< "put dump.sql"', 'net out example.com /srv/project/dump.sql'],
  ['sftp example.com'],
  [
    'scp a.txt b.txt dev@example.com:/tmp',
    'net out example.com /srv/project/a.txt',
    'net out example.com /srv/project/b.txt',
    'read /srv/project/a.txt',
    'read /srv/project/b.txt',
  ],
  ['scp -r ~/.ssh "$HOST:"', 'net out ? /home/dev/.ssh recursive', 'read /home/dev/.ssh'],
  [
    'scp example.com:run.sh .',
    'net in example.com /srv/project/run.sh',
    'write /srv/project',
    'read /srv/project/example.com:run.sh',
    'read /srv/project/run.sh',
    'read /srv/project/example.com',
  ],
  ['scp a.txt b.txt', 'write /srv/project/b.txt', 'read /srv/project/a.txt'],
  ['ssh dev@example.com uptime', 'net out example.com -', 'starts uptime'],
  ['ssh -V'],
  [
    'ssh -NR 80:localhost:3000 example.com',
    'system-change network/listen',
    'net out example.com -',
    'system-change network/tunnel',
  ],
  ['autossh -M 0 -fNR 2222:localhost:22 example.com', 'system-change network/tunnel', 'starts example.com'],
]
