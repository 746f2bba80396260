import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['serve -s dist -l 3000'],
  ['serve ~', 'net out ? /home/dev recursive'],
  ['serve -l tcp://localhost:5000 ~', 'net out localhost /home/dev recursive'],
  ['http-server ./dist -p 8080'],
  ['live-server'],
  ['miniserve /', 'net out ? / recursive'],
  ['caddy file-server --root ~/', 'net out ? /home/dev recursive'],
  ['caddy fmt --overwrite'],
]
