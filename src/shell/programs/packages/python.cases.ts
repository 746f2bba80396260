import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['conda run -n base rm -rf build', 'starts rm -rf build'],
  ['conda env list'],
  ['twine check dist'],
  ['twine upload dist/shop.whl', 'remote-mutate packages/publish'],
  ['poetry publish --build', 'remote-mutate packages/publish'],
  ['poetry publish --dry-run'],
  ['uv publish', 'remote-mutate packages/publish'],
  ['uv pip install x'],
  ['pip install requests'],
  ['pip3 install -r requirements.txt --index-url https://example.com/simple'],
  ['pip install --index-url http://example.com/simple x', 'system-change shell/hidden-exec'],
  ['pip install --index-url http://localhost:3141/simple x'],
  ['pip3 config set global.index-url http://example.com/simple', 'system-change shell/hidden-exec'],
  ['hatch publish', 'remote-mutate packages/publish'],
  ['pdm publish', 'remote-mutate packages/publish'],
  ['flit publish', 'remote-mutate packages/publish'],
  ['anaconda upload shop.tar.bz2', 'remote-mutate packages/publish'],
  ['uvx ruff check', 'starts ruff check'],
  ['pipx install git+ssh://git@example.com/x/tool', 'system-change packages/foreign-code'],
]
