import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['bats test/a.bats'],
  ['cmake -E rm -rf build', 'starts rm -rf build'],
  ['cmake --build build'],
  ['make > /dev/null 2>&1', 'write /dev/null'],
  ['cc -o a a.c && ./a', 'write /srv/project/a'],
  ['go run example.com/x@latest', 'system-change packages/foreign-code'],
  ['java -jar bfg.jar --delete-files id_rsa', 'git-history git/rewrite-history'],
  ['task build'],
  ['just build'],
  ['bmake -n'],
]
