import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  [
    'dd if=a of=/dev/sda bs=4M',
    'write /dev/sda',
    'read /srv/project/if=a',
    'read /srv/project/a',
    'read /srv/project/bs=4M',
    'read /srv/project/4M',
  ],
  [
    'dd if=/dev/urandom count=1',
    'read /srv/project/if=/dev/urandom',
    'read /dev/urandom',
    'read /srv/project/count=1',
    'read /srv/project/1',
  ],
]
