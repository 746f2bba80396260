import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['ln -s /opt/x/tool', 'write /srv/project/tool', 'read /opt/x/tool'],
  ['ln -sf a /usr/bin/b', 'write /usr/bin/b', 'read /srv/project/a'],
  ['ln --help'],
  ['ln -sfn /tmp/x build', 'write /srv/project/build recursive', 'read /tmp/x'],
]
