import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['ncftp ftp.example.com'],
  ['ftp example.com'],
  [
    "lftp -e 'mirror -R site; quit' ftp.example.com",
    'net out ftp.example.com /srv/project/site',
    'net out ftp.example.com /srv/project/site recursive',
  ],
  ['tftp example.com'],
  ["lftp -e 'mirror --verbose site; quit' ftp.example.com"],
  [
    "lftp -c 'open example.com; mirror -R --delete site /var/www'",
    'remote-mutate files/sync-delete-remote ?',
    'net out example.com /srv/project/site',
    'net out ? /srv/project/--delete recursive',
  ],
]
