import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ["cross-env-shell A=1 'rm -rf build'", 'starts rm -rf build'],
  ['env rm -rf build', 'starts rm -rf build'],
  ['builtin cd /tmp', 'starts cd /tmp'],
  ['printenv HOME'],
  ['command cd /; ls', 'starts cd /'],
  ['exec x', 'starts x'],
  ['cross-env A=1 rm -rf /', 'starts rm -rf /'],
]
