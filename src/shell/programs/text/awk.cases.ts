import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  [`nawk 'BEGIN { system("rm -rf build") }'`, 'starts rm -rf build'],
  ["nawk '{ print $1 }' a.txt"],
  ["awk '{print $1}' a", 'read /srv/project/a'],
  [`awk '{print > "/etc/x"}' a`, 'write /etc/x', 'read /srv/project/a'],
  ["gawk -i inplace '{print $1}' a", 'write /srv/project/a'],
  ["mawk '$1 > 10' a", 'read /srv/project/a'],
]
