import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['pwd'],
  ['type rm'],
  ['GIT_EDITOR=true git merge --continue'],
  ["echo 'DROP TABLE users;' > a.sql && psql shop -f b.sql", 'write /srv/project/a.sql'],
  ['printf "" > ../other/data.csv', 'write /srv/other/data.csv'],
  ['say 1'],
]
