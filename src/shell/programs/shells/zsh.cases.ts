import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['noglob rm -rf build', 'starts rm -rf build'],
  ['- rm -rf build', 'starts rm -rf build'],
  ['repeat 3 rm -rf build', 'starts rm -rf build'],
  ["emulate sh -c 'rm -rf build'", 'starts rm -rf build'],
  ['zargs build -- rm -rf', 'starts rm -rf build'],
  ["zmv '(*).txt' '$1.md'"],
  ['zmodload zsh/mapfile'],
  ['whence rm'],
  ["fc -e 'rm -rf build'", 'starts rm -rf build'],
]
