import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['rimraf dist "src/**"', 'delete /srv/project/dist recursive', 'delete /srv/project/src/** recursive'],
  ['rimraf --version'],
  ['del --force ../x', 'delete /srv/x recursive'],
  ['del-cli --dry-run dist'],
  ['npx -y rimraf@5 ~/x', 'delete /home/dev/x recursive'],
  ['bunx rimraf a', 'delete /srv/project/a recursive'],
]
