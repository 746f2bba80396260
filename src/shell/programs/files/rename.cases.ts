import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ["rename 's/a/b/' x.txt", 'write /srv/project/x.txt'],
  ['rename --help'],
  ['mmv a b', 'write /srv/project/b'],
  ['prename s/a/b/ a.txt'],
]
