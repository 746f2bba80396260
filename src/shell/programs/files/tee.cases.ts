import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['tee -a log', 'write /srv/project/log'],
  ['sponge a.txt', 'write /srv/project/a.txt'],
  ['sponge a', 'write /srv/project/a'],
  ['sponge'],
  ['tee'],
]
