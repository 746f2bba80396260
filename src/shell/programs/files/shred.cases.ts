import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  [
    'shred -u key.txt',
    'data-destroy files/shred',
    'delete /srv/project/key.txt',
    'write /srv/project/key.txt',
  ],
  ['shred --help'],
  ['srm -r d', 'data-destroy files/shred', 'delete /srv/project/d recursive', 'write /srv/project/d'],
  ['wipe --help'],
]
