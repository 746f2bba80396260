import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['rsync -a src/ /opt/copy/', 'write /opt/copy recursive', 'read /srv/project/src'],
  ['rsync -a --delete src/ /', 'write / recursive', 'delete / recursive narrowed', 'read /srv/project/src'],
  ['rsync -an --delete src/ /', 'read /srv/project/src'],
  ['rsync --dry-run --del a/ b/', 'read /srv/project/a'],
  [
    'rsync -az --delete-after dist/ web@example.com:/srv/site/',
    'remote-mutate files/sync-delete-remote ?',
    'net out example.com /srv/project/dist recursive',
    'read /srv/project/dist',
  ],
  [
    'rsync -a --remove-source-files a /opt/b',
    'write /opt/b recursive',
    'delete /srv/project/a recursive',
    'read /srv/project/a',
  ],
  ['rsync --list-only a/', 'read /srv/project/a'],
]
