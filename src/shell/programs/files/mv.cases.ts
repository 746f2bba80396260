import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['mv a b', 'write /srv/project/a recursive', 'write /srv/project/b', 'read /srv/project/a ?'],
  [
    'mv -t /opt/x a',
    'write /srv/project/a recursive',
    'write /opt/x/a',
    'read /opt/x ?',
    'read /srv/project/a ?',
  ],
  ['mv --version'],
  [
    `python3 -c 'import os; os.rename("a", "b")'`,
    'write /srv/project/a recursive',
    'write /srv/project/b',
    'read /srv/project/a ?',
  ],
]
