import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['cp /dev/null a', 'write /srv/project/a', 'delete /srv/project/a', 'read /dev/null'],
  ['cp a /etc/b', 'write /etc/b', 'read /srv/project/a'],
  [
    'cp -r a b d',
    'write /srv/project/d/a recursive',
    'write /srv/project/d/b recursive',
    'read /srv/project/a',
    'read /srv/project/b',
  ],
  ['cp ../.env .', 'write /srv/project/.env', 'read /srv/.env'],
  ['cp --help'],
  ['cp lonely', 'read /srv/project/lonely'],
  ['ditto a b', 'read /srv/project/a', 'write /srv/project/b'],
  ['gcp a b', 'write /srv/project/b', 'read /srv/project/a'],
  ['link a b'],
]
