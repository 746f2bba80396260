import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['fgrep x a.txt', 'read /srv/project/a.txt'],
  ['zgrep x a.gz', 'read /srv/project/a.gz'],
  ['ag x src', 'read /srv/project/src'],
  ['grep root /etc/passwd > roots.txt', 'write /srv/project/roots.txt', 'read /etc/passwd'],
  ['rg --pre /tmp/x pattern', 'read /srv/project/pattern', 'starts /tmp/x'],
]
