import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['gxargs rm -rf build'],
  ['xargs -a .env echo', 'starts echo ‹standard input›'],
  ['parallel rm -rf {} ::: /', 'starts rm -rf /'],
  ['sem --fg rm -rf /', 'starts rm -rf /'],
]
