import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['7zr x a.7z'],
  ['rar x a.rar'],
  ['rar a a.rar src'],
  ['unzip -l a.zip'],
  ['unzip -tq a.zip'],
  ['unzip -o a.zip -d /', 'write / recursive'],
  ['zip -r a.zip src', 'write /srv/project/a.zip', 'read /srv/project/a.zip', 'read /srv/project/src'],
  [
    'zip -rm a.zip src',
    'write /srv/project/a.zip',
    'delete /srv/project/src recursive',
    'read /srv/project/a.zip',
    'read /srv/project/src',
  ],
  ['zip -h'],
  ['7z x a.7z -o/etc', 'write /etc recursive'],
  ['7z l a.7z'],
  ['7za a -sdel a.7z src', 'write /srv/project/a.7z', 'delete /srv/project/src recursive'],
  ['7zz t a.7z'],
  ['unrar x a.rar /opt/x/', 'write /opt/x recursive'],
  ['unrar l a.rar'],
]
