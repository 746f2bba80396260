import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['rm a.txt', 'delete /srv/project/a.txt'],
  ['rm -rf dist', 'delete /srv/project/dist recursive'],
  ['rm --recurs -- -x ~/y', 'delete /srv/project/-x recursive', 'delete /home/dev/y recursive'],
  ['rm -rf / --help'],
  ['rm $FILE', 'delete ‹$FILE›'],
  ['rm $FLAGS build', 'delete ‹$FLAGS›', 'delete /srv/project/build recursive ?'],
  [`rm -rf "\${OUT:-dist}/a"`, 'delete /srv/project/dist/a recursive'],
  [`rm -rf \${X:-$Y}`, `delete ‹\${X:-$Y}› recursive`, 'delete ‹$Y› recursive'],
  ['find . -type f | xargs rm', 'delete /srv/project recursive'],
  ["find a -name '*.o' | xargs rm", 'delete /srv/project/a/‹{}›/*.o narrowed'],
  ['find a -name "$1" -exec rm {} +', 'delete /srv/project/a recursive ?'],
  ['find a -mtime +3 -exec rm {} +', 'delete /srv/project/a/‹{…}› narrowed'],
  ['find . -exec rm {} +', 'delete /srv/project recursive'],
  ['heroku run rm -a shop', 'delete shop'],
  ["git filter-branch --tree-filter 'rm -f x' HEAD", 'delete /srv/project/x'],
  ["ansible all -m shell -a 'rm -rf /srv/data'", 'delete /srv/data recursive'],
]
