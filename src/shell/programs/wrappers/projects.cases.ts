import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['pipenv run rm -rf build', 'starts rm -rf build'],
  ['pixi run rm -rf build', 'starts rm -rf build'],
  ['rbenv exec rm -rf build', 'starts rm -rf build'],
  ['devbox run rm -rf build', 'starts rm -rf build'],
  ['corepack yarn rimraf build', 'starts yarn rimraf build'],
  ["nodemon --exec 'rm -rf build'", 'starts rm -rf build'],
  ['watchexec rm -rf build', 'starts rm -rf build'],
  ['reflex -- rm -rf build', 'starts rm -rf build'],
  ['onchange src -- rm -rf build', 'starts rm -rf build'],
  ['guix shell -- rm -rf build', 'starts rm -rf build'],
  ['nvm exec 20 rm -rf /', 'starts rm -rf /'],
  ['volta run --node 20 rm -rf /', 'starts rm -rf /'],
  ['tox exec -e py311 -- rm -rf /', 'starts rm -rf /', 'starts -rf /'],
  ["concurrently -n a 'ls' 'rm -rf /'", 'starts ls', 'starts rm -rf /'],
  ["hyperfine --warmup 3 ls 'rm -rf /'", 'starts ls', 'starts rm -rf /'],
  ["nix-shell -p git --run 'rm -rf /'", 'starts rm -rf /'],
  ['bundle exec rm -rf /', 'starts rm -rf /'],
]
