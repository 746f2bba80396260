import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['trash a', 'write /srv/project/a recursive'],
  ['trash-put --version'],
  ['gio trash a', 'write /srv/project/a recursive'],
  ['gio remove a', 'delete /srv/project/a'],
  ['gio info a'],
]
