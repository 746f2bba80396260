import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['mktemp -d'],
  ['realpath a', 'metadata /srv/project/a'],
  ['basename src/a.ts'],
  ['dirname src/a.ts'],
  ['plocate id_rsa'],
  ['subl a.ts', 'metadata /srv/project/a.ts'],
  ['mkdir -p a', 'metadata /srv/project/a'],
  ['ls > files', 'write /srv/project/files'],
  ['readlink /proc/self/exe', 'metadata /proc/self/exe'],
  ['which gemini'],
  ['locate id_rsa | xargs cat', 'metadata /srv/project/id_rsa'],
]
