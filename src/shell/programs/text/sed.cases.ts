import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ["sed -n '1,5p' a", 'read /srv/project/a'],
  ["sed 's/a/b/' a", 'read /srv/project/a'],
  ["sed -i 's/a/b/' a b", 'write /srv/project/a', 'write /srv/project/b'],
  ["sed -i.bak -e 's/a/b/' /etc/hosts", 'write /etc/hosts', 'metadata /srv/project/s/a/b'],
  ["sed -i '' 's/a/b/' a", 'write /srv/project/a'],
  ["sed -ni '/x/p' a", 'write /srv/project/a'],
  ["sed --in-place=.old --expression='s/a/b/' a", 'write /srv/project/a'],
  ["sed -n 'w /etc/x' a", 'write /etc/x', 'read /srv/project/a'],
  ["sed 's/a/b/gw out.txt' a", 'write /srv/project/out.txt', 'read /srv/project/a'],
  ['sed --version'],
  ['gsed -i d a', 'write /srv/project/a'],
  [`GIT_SEQUENCE_EDITOR="sed -i '2,3s/^pick/squash/;4d'" git merge`],
  ["sed -i '' s/a/b/ a", 'write /srv/project/a'],
  ["sed -i '' -e s/a/b/ a", 'write /srv/project/a', 'metadata /srv/project/s/a/b'],
]
