import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['rmdir -p a/b', 'delete /srv/project/a/b'],
  ['rmdir --help'],
  ['unlink link', 'delete /srv/project/link'],
]
