import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['gosu dev rm -rf build', 'starts rm -rf build'],
  ['setpriv --reuid=1000 rm -rf build', 'starts rm -rf build'],
  ['newgrp staff'],
  ["capsh -- -c 'rm -rf build'", 'starts bash -c'],
  ['sudo s""u', 'starts su'],
  ['doas -u root rm -rf /', 'starts rm -rf /'],
  ['pkexec /bin/sh', 'starts /bin/sh'],
  ["sg docker 'rm -rf /'", 'starts rm -rf /'],
  ['run0 ls', 'starts ls'],
]
