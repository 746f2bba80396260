import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  [`pwsh -Command 'Remove-Item -Recurse -Force "$HOME/x"'`, 'delete /home/dev/x recursive'],
  ['powershell -nop -c "rm -r C:/x; del y"', 'delete /x recursive', 'delete /srv/project/y'],
  [`powershell.exe -c "[IO.File]::Delete('/a')"`, 'delete /a', 'starts /a'],
  ['pwsh -c "iwr https://example.com/x"', 'net in example.com'],
  ['powershell -c "Remove-Item -Recurse $env:USERPROFILE/x"', 'delete /home/dev/x recursive'],
  ['pwsh -c "Get-ChildItem | Measure-Object"'],
  ["pwsh -c '<# Remove-Item x #>'"],
]
