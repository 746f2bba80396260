import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['noglob rm -rf build', 'starts rm -rf build'],
  ['- rm -rf build', 'starts rm -rf build'],
  ['repeat 3 rm -rf build', 'starts rm -rf build'],
  ["emulate sh -c 'rm -rf build'", 'starts rm -rf build'],
  ['zargs build -- rm -rf', 'starts rm -rf build'],
  ['setopt shwordsplit'],
  ['setopt EXTENDED_GLOB'],
  ['zargs -- --force -- git push origin main', 'starts git push origin main --force'],
  ["zstyle -e ':completion:*' hosts 'rm -rf build'", 'starts rm -rf build'],
  ["zstyle ':completion:*' menu select"],
  ["add-zsh-hook zshexit 'rm -rf build'", 'starts rm -rf build'],
  ['sched +0:01 rm -rf build', 'starts rm -rf build'],
  ['zpty -b work rm -rf build', 'starts rm -rf build'],
  ["zmv '(*).txt' '$1.md'"],
  ['zmodload zsh/mapfile'],
  ['whence rm'],
  ["fc -e 'rm -rf build'", 'starts rm -rf build'],
]
