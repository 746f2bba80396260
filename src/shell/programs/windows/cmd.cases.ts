import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['start a.exe', 'starts a.exe'],
  ['start /b cmd /c del a.txt', 'starts cmd /c', 'starts rm a.txt', 'starts :'],
  ['rd /s /q C:\\Users', 'starts rm -r /Users'],
]
