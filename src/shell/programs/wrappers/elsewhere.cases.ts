import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['lxc-attach -n c1 -- rm -rf /data', 'starts rm -rf /data'],
  ['pdsh -w a,b rm -rf /data', 'starts rm -rf /data'],
  ['pssh -H a rm -rf /data', 'starts rm -rf /data'],
  ['flatpak-spawn --host rm -rf build', 'starts rm -rf build'],
  ['toolbox run rm -rf build', 'starts rm -rf build'],
  ['distrobox enter c1 -- rm -rf build', 'starts rm -rf build'],
  ['wsl.exe rm -rf build', 'starts rm -rf build'],
  ['mosh example.com -- rm -rf /data', 'starts rm -rf /data'],
  ['adb -s x shell rm -rf /', 'starts rm -rf /'],
]
