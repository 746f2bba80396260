import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ["view -c '!rm -rf build' a", 'starts rm -rf build'],
  ['vimdiff a b'],
  ['most a.log', 'read /srv/project/a.log'],
  ["dc -e '!rm -rf build'", 'starts rm -rf build'],
  ["rust-gdb -ex 'shell rm -rf build'", 'starts rm -rf build'],
  ['ed -s a <<< w', 'write /srv/project/a'],
  ["ex -sc '%s/a/b/|x' a", 'write /srv/project/a'],
  ["vim -es -c 'g/a/d' -c wq a", 'write /srv/project/a'],
  ["vim -c 'w! /etc/x' a", 'write /srv/project/a', 'write /etc/x'],
  ['vim a'],
  ['vi -R a'],
  ['nvim +q a'],
  ["less '+!rm -rf /' f", 'read /srv/project/+!rm -rf ', 'read /srv/project/f', 'starts rm -rf /'],
  ['bat --pager=less README.md', 'read /srv/project/README.md', 'starts less'],
  ['man -P cat ls', 'starts cat'],
  ["nano -s 'rm -rf /' a.txt", 'starts rm -rf /'],
  ["fzf --bind 'start:execute(rm -rf /),enter:accept'", 'starts rm -rf /'],
  ['gdb -q --args rm -rf /', 'starts rm -rf /'],
]
