import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['shx rm -rf out', 'delete /srv/project/out recursive'],
  ['shx mkdir out'],
  ['npx shx rm -rf a', 'delete /srv/project/a recursive'],
]
