import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['install -d out', 'write /srv/project/out', 'read /srv/project/out'],
  [
    'install -m 755 tool /usr/local/bin/',
    'write /usr/local/bin/tool',
    'read /srv/project/755',
    'read /srv/project/tool',
  ],
  [
    'install -m 4755 tool /opt/tool',
    'privilege permissions/setuid',
    'write /opt/tool',
    'read /srv/project/4755',
    'read /srv/project/tool',
  ],
  ['install --version'],
]
