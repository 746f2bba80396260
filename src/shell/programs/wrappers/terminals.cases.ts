import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['alacritty -e rm -rf build', 'starts rm -rf build'],
  ['foot rm -rf build', 'starts rm -rf build'],
  ['gnome-terminal -- rm -rf build', 'starts rm -rf build'],
  ['zellij run -- rm -rf build', 'starts rm -rf build'],
  ['screen -dm rm -rf build', 'starts rm -rf build'],
  ['tmux new -d "sh x.sh"', 'starts sh x.sh'],
  ["xterm -e 'rm -rf /'", 'starts rm -rf /'],
  ['urxvt -e rm -rf /', 'starts rm -rf /'],
  ['kitty --hold rm -rf /', 'starts rm -rf /'],
  ['ghostty -e rm -rf build', 'starts rm -rf build'],
]
