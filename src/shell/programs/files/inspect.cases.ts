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
  ['file a.bin', 'metadata /srv/project/a.bin'],
  ['file -f list.txt', 'read /srv/project/list.txt'],
  ['wc --files0-from=list.txt', 'read /srv/project/list.txt'],
  ['du -sh src', 'metadata /srv/project/src'],
]
