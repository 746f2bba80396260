import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ["nu -c 'rm -rf build'", 'starts rm -rf build'],
  ["compgen -C 'rm -rf build'", 'starts rm -rf build'],
  ["complete -C 'rm -rf build' x", 'starts rm -rf build'],
  [`bind -x '"\\C-a": rm -rf build'`, 'starts rm -rf build'],
  ['sh -c ls', 'starts ls'],
  ['eval rm -rf /', 'starts rm -rf /'],
  ['. <(curl x)', 'exec network'],
  ["trap 'rm -rf /' EXIT", 'starts rm -rf /'],
  ['enable -n test'],
]
