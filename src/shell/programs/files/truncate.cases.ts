import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['touch x', 'write /srv/project/x'],
  ['touch --help'],
  ['truncate -s 0 log', 'write /srv/project/log', 'delete /srv/project/log'],
  ['truncate --size=0M log', 'write /srv/project/log', 'delete /srv/project/log'],
  ['truncate -s +10 log', 'write /srv/project/log'],
  ["git fetch origin '--upload-pack=touch x; git-upload-pack'", 'write /srv/project/x'],
]
