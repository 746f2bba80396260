import { describe, expect, it } from 'vitest'
import { packedPlugins } from './plugin-packages.ts'

const manifest = {
  version: '1.2.3',
  license: 'MIT',
  repository: { type: 'git', url: 'https://example.com/r' },
}
const packages = await packedPlugins({ manifest, plugins: 'export const x = 1\n' })

describe('the plugins as packages', () => {
  it('are those of the agents whose users install plugins by name', () => {
    expect(packages.map(({ name }) => name)).toEqual([
      '@holdpoint/opencode',
      '@holdpoint/kilo',
      '@holdpoint/pi',
      '@holdpoint/openclaw',
      '@holdpoint/cline',
    ])
  })

  it.each(packages)('$name has what npm and its agent read', ({ name, host, files }) => {
    const read = JSON.parse(files['package.json'] ?? '')
    expect(read).toMatchObject({ name, ...manifest, type: 'module', main: './index.js' })
    for (const file of read.files) expect(Object.keys(files)).toContain(file)
    expect(files['index.js']).toContain(`host: ${JSON.stringify(host)}`)
    expect(files['README.md']).toContain(name)
  })

  it.each(packages)('$name loads the rest of itself where nothing can fail', ({ files }) => {
    const imports = [...(files['index.js'] ?? '').matchAll(/^import .*$/gm)].map(([line]) => line)
    expect(imports).toEqual(["import { homedir } from 'node:os'"])
  })
})
