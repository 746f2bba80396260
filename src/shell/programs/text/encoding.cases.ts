import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['gbase64 -d a.txt', 'read /srv/project/a.txt'],
  ['base32 -d a.txt', 'read /srv/project/a.txt'],
  ['basenc --base64 -d a.txt', 'read /srv/project/a.txt'],
  ['uudecode a.uue', 'read /srv/project/a.uue'],
  ['base64 x > a; sh a', 'write /srv/project/a', 'read /srv/project/x'],
  ['xxd server.key', 'read /srv/project/server.key'],
]
